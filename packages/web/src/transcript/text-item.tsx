import { useRef, useState } from "react";
import { plainText } from "../format/terminal.ts";
import { TextButton } from "../ui/button.tsx";
import { Chunks } from "./chunks.ts";
import type { ItemEntry } from "./entries.ts";
import { Markdown } from "./markdown.tsx";
import { PartialMark } from "./partial-mark.tsx";
import { useReader } from "./reader.ts";

/** A very long text shows its last chunks. Up to twice as many are kept while it grows. */
const shownChunks = 12;

export function TextItem({ entry: { item } }: { entry: ItemEntry }) {
  const { following, target } = useReader();
  const text = plainText(item.text ?? "");
  const chunks = useRef<Chunks>(undefined);
  chunks.current ??= new Chunks();
  const all = chunks.current.read(text);
  const [whole, setWhole] = useState(false);
  const hidden = useRef<number>(undefined);
  hidden.current ??= Math.max(0, all.length - shownChunks);
  // Chunks are removed only while the view follows the end.
  if (following && all.length - hidden.current > 2 * shownChunks) hidden.current = all.length - shownChunks;
  const first = whole || target === item.seq ? 0 : hidden.current;
  return (
    <article>
      {first > 0 && (
        <TextButton className="mb-3 text-xs" onClick={() => setWhole(true)}>
          Show {Math.round(all.slice(0, first).join("").length / 1000)},000 earlier characters
        </TextButton>
      )}
      {all.slice(first).map((chunk, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a chunk is identified by its position
        <Markdown key={first + index} text={chunk} />
      ))}
      {item.status === "partial" && <PartialMark />}
    </article>
  );
}
