import { useMemo, useState } from "react";
import { type DiffLine, lineDiff } from "../format/line-diff.ts";
import type { FileChange } from "../format/tool-content.ts";

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

interface DiffProps {
  readonly change: FileChange;
  /** How the text is shown: as it is printed, or with hidden characters spelt out. */
  readonly show: (text: string) => string;
  /** The path stands right above already. */
  readonly bare?: boolean;
}

/** One file's change, line by line; long unchanged stretches are left out and counted. */
export function Diff({ change, show, bare = false }: DiffProps) {
  const { path, before, after } = change;
  const [shown, setShown] = useState(maxLines);
  const rows = useMemo(() => collapse(lineDiff(before ?? "", after)), [before, after]);
  const count = (sign: string) => rows.filter((row) => row.sign === sign).length;
  return (
    <figure className="overflow-hidden rounded-md border border-line">
      <figcaption
        className={
          bare
            ? "flex px-2.5 pt-1 font-mono text-2xs"
            : "flex items-baseline gap-2 border-line border-b bg-raised px-2.5 py-1 font-mono text-2xs"
        }
      >
        {!bare && <span className="min-w-0 break-all">{show(path)}</span>}
        <span className="ml-auto shrink-0 text-muted">
          {before === undefined ? (
            "whole file"
          ) : (
            <>
              <span className="text-good">+{count("+")}</span> <span className="text-bad">−{count("-")}</span>
            </>
          )}
        </span>
      </figcaption>
      <pre className="goes-on max-h-80 overflow-auto py-1 font-mono text-xs">
        <code className="block w-max min-w-full">
          {rows.slice(0, shown).map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the lines of one change never move
            <span key={index} className={`flex px-2.5 ${before === undefined ? "" : looks[row.sign]}`}>
              {before !== undefined && (
                <span className="w-4 shrink-0 select-none text-muted">{row.sign}</span>
              )}
              <span className="whitespace-pre">{show(row.text) || " "}</span>
            </span>
          ))}
          {rows.length > shown && (
            <button type="button" className="px-2.5 text-accent" onClick={() => setShown(rows.length)}>
              Show {rows.length - shown} more lines
            </button>
          )}
        </code>
      </pre>
    </figure>
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
