import { plainText } from "../format/terminal.ts";
import type { ItemEntry } from "./entries.ts";
import { Markdown } from "./markdown.tsx";
import { PartialMark } from "./partial-mark.tsx";

export function TextItem({ entry: { item } }: { entry: ItemEntry }) {
  return (
    <article>
      <Markdown text={plainText(item.text ?? "")} />
      {item.status === "partial" && <PartialMark />}
    </article>
  );
}
