import { useMemo, useState } from "react";
import { shortPath } from "../format/short-path.ts";
import { changeCounts, changeLines } from "../format/shown-change.ts";
import { plainText } from "../format/terminal.ts";
import type { FileChange } from "../format/tool-input.ts";
import { TextButton } from "../ui/button.tsx";
import { Counts } from "../ui/counts.tsx";
import { ScrollBox } from "../ui/scroll-box.tsx";
import { DiffRows, fold } from "./diff-rows.tsx";

/** Drawn at once; the rest is one press away. */
const maxLines = 500;

interface DiffProps {
  readonly change: FileChange;
  /** Path and counts stand right above already. */
  readonly bare?: boolean;
  /** Paths below it are shown from there on. */
  readonly base?: string;
}

/** One file's change in a transcript; a card that asks for approval shows an `ExactDiff`. */
export function Diff({ change, bare = false, base }: DiffProps) {
  const counts = changeCounts(change);
  const [isFolded, setFolded] = useState(true);
  const [shown, setShown] = useState(maxLines);
  const lines = useMemo(
    () => changeLines(change).map(({ sign, text }) => ({ sign, text: plainText(text) })),
    [change],
  );
  const rows = useMemo(() => (isFolded ? fold(lines) : lines), [isFolded, lines]);
  return (
    <figure className="overflow-hidden rounded-md border border-line">
      {!bare && (
        <figcaption className="flex items-baseline gap-2 border-line border-b bg-raised px-2.5 py-1 font-mono text-2xs">
          <span className="min-w-0 break-all">{plainText(shortPath(change.path, base))}</span>
          <span className="ml-auto shrink-0 text-muted">
            {counts ? <Counts {...counts} /> : "whole file"}
          </span>
        </figcaption>
      )}
      <ScrollBox className="goes-on max-h-[min(20rem,45dvh)] overflow-auto py-1 font-mono text-xs">
        <code className="block w-max min-w-full">
          <DiffRows
            change={change}
            lines={lines}
            rows={rows.slice(0, shown)}
            onUnfold={() => setFolded(false)}
          />
          {rows.length > shown && (
            <TextButton className="px-2.5" onClick={() => setShown(rows.length)}>
              Show {rows.length - shown} more lines
            </TextButton>
          )}
        </code>
      </ScrollBox>
    </figure>
  );
}
