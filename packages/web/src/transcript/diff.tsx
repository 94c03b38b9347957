import { useMemo, useState } from "react";
import type { DiffLine } from "../format/line-diff.ts";
import { shortPath } from "../format/short-path.ts";
import { changeCounts, changeLines } from "../format/shown-change.ts";
import type { FileChange } from "../format/tool-content.ts";
import { TextButton } from "../ui/button.tsx";
import { Counts } from "../ui/counts.tsx";
import { ScrollBox } from "../ui/scroll-box.tsx";
import type { Line } from "./highlighter.ts";
import { piecesOf } from "./line-pieces.ts";
import { type DiffSide, useDiffColours } from "./use-diff-colours.ts";

const context = 3;
/** Drawn at once; the rest is one press away, for nobody should approve what they cannot see. */
const maxLines = 500;

type Row = DiffLine | { readonly sign: "…"; readonly text: string };

const looks: Readonly<Record<Row["sign"], string>> = {
  "+": "bg-good/12",
  "-": "bg-bad/12",
  " ": "",
  "…": "text-faint select-none",
};

const sides: Readonly<Record<DiffLine["sign"], DiffSide>> = { "-": "old", "+": "now", " ": "both" };
const sideOf = ({ sign }: DiffLine) => sides[sign];

interface DiffProps {
  readonly change: FileChange;
  /** How the text is shown: as it is printed, or with hidden characters spelt out. */
  readonly show: (text: string) => string;
  /** Path and counts stand right above already. */
  readonly bare?: boolean;
  /** Paths below it are shown from there on. */
  readonly base?: string;
}

/** One file's change, line by line; long unchanged stretches are left out and counted. */
export function Diff({ change, show, bare = false, base }: DiffProps) {
  const { path, before } = change;
  const counts = changeCounts(change);
  const [shown, setShown] = useState(maxLines);
  const lines = useMemo(
    () => changeLines(change).map(({ sign, text }) => ({ sign, text: show(text) })),
    [change, show],
  );
  const rows = useMemo(() => collapse(lines), [lines]);
  const colours = useDiffColours({ path, lines, sideOf });
  return (
    <figure className="overflow-hidden rounded-md border border-line">
      {!bare && (
        <figcaption className="flex items-baseline gap-2 border-line border-b bg-raised px-2.5 py-1 font-mono text-2xs">
          <span className="min-w-0 break-all">{show(shortPath(path, base))}</span>
          <span className="ml-auto shrink-0 text-muted">
            {counts ? <Counts {...counts} /> : "whole file"}
          </span>
        </figcaption>
      )}
      <ScrollBox className="goes-on max-h-[min(20rem,45dvh)] overflow-auto py-1 font-mono text-xs">
        <code className="block w-max min-w-full">
          {rows.slice(0, shown).map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the lines of one change never move
            <span key={index} className={`flex px-2.5 ${before === undefined ? "" : looks[row.sign]}`}>
              {before !== undefined && (
                <span className="w-4 shrink-0 select-none text-muted">{row.sign}</span>
              )}
              <span className="whitespace-pre">
                <Text row={row} tokens={row.sign === "…" ? undefined : colours.get(row)} />
              </span>
            </span>
          ))}
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

function Text({ row, tokens }: { row: Row; tokens: Line | undefined }) {
  if (!tokens || row.text === "") return row.text || " ";
  return piecesOf([{ text: row.text, changed: false }], tokens).map(({ text, look }, index) =>
    look ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a line never move
      <span key={index} className={look}>
        {text}
      </span>
    ) : (
      text
    ),
  );
}

function collapse(lines: readonly DiffLine[]): Row[] {
  const near = new Set<number>();
  for (const [at, { sign }] of lines.entries()) {
    if (sign !== " ") for (let i = at - context; i <= at + context; i++) near.add(i);
  }
  const rows: Row[] = [];
  let skipped = 0;
  const noteSkipped = () => {
    if (skipped > 0) rows.push({ sign: "…", text: `${skipped} unchanged lines` });
    skipped = 0;
  };
  for (const [at, line] of lines.entries()) {
    if (!near.has(at)) {
      skipped++;
      continue;
    }
    noteSkipped();
    rows.push(line);
  }
  noteSkipped();
  return rows;
}
