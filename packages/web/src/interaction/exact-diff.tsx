import { useMemo, useState } from "react";
import { DiffRows } from "../code/diff-rows.tsx";
import { type DiffRow, fold } from "../code/fold.ts";
import { exactName } from "../format/exact-lines.ts";
import { exactNotation } from "../format/exact-rows.ts";
import type { DiffLine } from "../format/line-diff.ts";
import { lineWeight } from "../format/pages.ts";
import { changeCounts, changeLines, openEndWords, type ShownChange } from "../format/shown-change.ts";
import { sourceWords } from "../format/tool-input.ts";
import { TextButton } from "../ui/button.tsx";
import { Counts } from "../ui/counts.tsx";
import { ExactBox, linesSize } from "./exact-box.tsx";
import { ExactText } from "./exact-text.tsx";
import { Paged } from "./paged.tsx";

/**
 * One file's change for approval: every line, soft-wrapped, with hidden characters spelled out. Unchanged lines are only
 * the agent's claim, so they stay visible until a person hides them.
 */
export function ExactDiff({ change }: { change: ShownChange }) {
  const { path, source } = change;
  const counts = changeCounts(change);
  const [isFolded, setFolded] = useState(false);
  const lines = changeLines(change);
  const notation = useMemo(() => exactNotation(lines), [lines]);
  const folded = useMemo(() => fold(lines), [lines]);
  const canFold = counts !== undefined && folded.length < lines.length;
  const notes = notesOn(change);
  const extra = extraOf(change);
  return (
    <figure className="overflow-hidden rounded-md border border-line bg-canvas">
      <figcaption className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5 border-line border-b bg-raised px-2.5 py-1 font-mono text-2xs">
        <span className="in-order min-w-0 break-all">{exactName(path)}</span>
        <span className="ml-auto flex min-w-0 flex-wrap items-baseline gap-x-3 text-faint">
          {source && <span>{sourceWords(source)}</span>}
          {counts && <Counts {...counts} />}
        </span>
      </figcaption>
      <Paged entries={isFolded ? folded : lines} name="Lines" weightOf={rowWeight}>
        {(rows) => (
          <ExactRows change={change} rows={rows} notation={notation} onUnfold={() => setFolded(false)} />
        )}
      </Paged>
      {extra !== undefined && (
        <ExactText text={extra} className="border-line border-t px-2.5 py-1 text-2xs" />
      )}
      {(notes.length > 0 || canFold) && (
        <p className="flex flex-wrap gap-x-3 border-line border-t px-2.5 py-1 text-2xs text-muted">
          {notes.map((note) => (
            <span key={note} className="in-order wrap-anywhere">
              {note}
            </span>
          ))}
          {canFold && (
            <TextButton className="ml-auto" onClick={() => setFolded(!isFolded)}>
              {isFolded ? "Show unchanged lines" : "Hide unchanged lines"}
            </TextButton>
          )}
        </p>
      )}
    </figure>
  );
}

const rowWeight = ({ text }: DiffRow) => lineWeight(text);

interface ExactRowsProps {
  readonly change: ShownChange;
  readonly rows: readonly DiffRow[];
  readonly notation: (line: DiffLine) => DiffLine;
  readonly onUnfold: () => void;
}

export function ExactRows({ change, rows, notation, onUnfold }: ExactRowsProps) {
  const exact = useMemo(
    () => rows.map((row): DiffRow => (row.sign === "…" ? row : notation(row))),
    [rows, notation],
  );
  const lines = useMemo(() => exact.filter((row) => row.sign !== "…"), [exact]);
  return (
    <ExactBox size={linesSize(rows.length)} className="py-1 text-xs">
      <code className="block">
        <DiffRows change={change} lines={lines} rows={exact} onUnfold={onUnfold} />
      </code>
    </ExactBox>
  );
}

/** Other keys of the element a change was read from. */
function extraOf({ source }: ShownChange): string | undefined {
  if (!source || Object.keys(source.extra).length === 0) return undefined;
  return JSON.stringify(source.extra, null, 2);
}

/** Facts about a change that its lines do not show. */
function notesOn(change: ShownChange): string[] {
  const { before, comparedWith, source } = change;
  const end = openEndWords(change);
  return [
    ...(before === null ? [`New file${source?.keys.before ? ` (${source.keys.before} is null)` : ""}`] : []),
    ...(comparedWith === undefined
      ? []
      : [`Compared with ${exactName(comparedWith)}, according to the agent`]),
    ...(end === undefined ? [] : [end]),
  ];
}
