import { useMemo, useState } from "react";
import { shortPath } from "../format/short-path.ts";
import { changeCounts, changeLines } from "../format/shown-change.ts";
import { plainText } from "../format/terminal.ts";
import type { FileChange } from "../format/tool-input.ts";
import { TextButton } from "../ui/button.tsx";
import { Counts } from "../ui/counts.tsx";
import { ScrollBox } from "../ui/scroll-box.tsx";
import { DiffRows } from "./diff-rows.tsx";
import { type DiffRow, fold } from "./fold.ts";

/** Rendered at first; each press renders more. */
const maxLines = 500;
const moreLines = 5_000;
/** In a longer change, only the rendered lines are processed, without colours. */
const maxRead = 2_000;

interface DiffProps {
  readonly change: FileChange;
  /** Leaves out the header, because path and counts are shown above. */
  readonly bare?: boolean;
  /** Paths inside this directory are shown relative to it. */
  readonly base?: string;
}

/** One file's change in a transcript; a card that asks for approval shows an `ExactDiff`. */
export function Diff({ change, bare = false, base }: DiffProps) {
  const counts = changeCounts(change);
  const [isFolded, setFolded] = useState(true);
  const [shown, setShown] = useState(maxLines);
  const isLong = changeLines(change).length > maxRead;
  const lines = useMemo(() => {
    const all = changeLines(change);
    return isLong ? all : all.map(plain);
  }, [change, isLong]);
  const rows = useMemo(() => (isFolded ? fold(lines) : lines), [isFolded, lines]);
  const drawn = useMemo(() => {
    const first = rows.slice(0, shown);
    return isLong ? first.map(plain) : first;
  }, [rows, shown, isLong]);
  const more = Math.min(moreLines, rows.length - shown);
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
          <DiffRows change={change} lines={lines} rows={drawn} onUnfold={() => setFolded(false)} />
          {more > 0 && (
            <TextButton className="px-2.5" onClick={() => setShown(shown + more)}>
              Show {more} more lines
            </TextButton>
          )}
        </code>
      </ScrollBox>
    </figure>
  );
}

const plain = <Row extends DiffRow>(row: Row): Row => ({ ...row, text: plainText(row.text) });
