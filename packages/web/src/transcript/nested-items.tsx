import { type ReactNode, useState } from "react";
import { TextButton } from "../ui/button.tsx";
import { holdsSeq, type ItemEntry } from "./entries.ts";
import { useReader } from "./reader.ts";

/** A sub-agent can take thousands of steps. Its card shows the last few, and more on request. */
const shown = 12;
const step = 50;

interface NestedItemsProps {
  readonly entries: readonly ItemEntry[];
  readonly draw: (entry: ItemEntry) => ReactNode;
}

/** What an agent inside a tool call did. */
export function NestedItems({ entries, draw }: NestedItemsProps) {
  const { target } = useReader();
  const [more, setMore] = useState(0);
  const targetAt = target === undefined ? -1 : entries.findIndex((entry) => holdsSeq(entry, target));
  const wanted = Math.max(shown + more, targetAt < 0 ? 0 : entries.length - targetAt);
  const hidden = Math.max(0, entries.length - wanted);
  return (
    <div className="grid gap-2.5">
      {hidden > 0 && (
        <TextButton className="justify-self-start text-xs" onClick={() => setMore(more + step)}>
          {hidden > step ? `Show ${step} of ${hidden} earlier steps` : `Show ${hidden} earlier steps`}
        </TextButton>
      )}
      {entries.slice(hidden).map(draw)}
    </div>
  );
}
