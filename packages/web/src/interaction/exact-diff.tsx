import { useMemo, useState } from "react";
import { DiffRows, fold } from "../code/diff-rows.tsx";
import { exactBlanks, exactLines, exactName } from "../format/exact-lines.ts";
import type { DiffLine } from "../format/line-diff.ts";
import { changeCounts, changeLines, openEndWords, type ShownChange } from "../format/shown-change.ts";
import { sourceWords } from "../format/tool-input.ts";
import { TextButton } from "../ui/button.tsx";
import { Counts } from "../ui/counts.tsx";
import { ExactBox, linesSize, sizeOf } from "./exact-box.tsx";

/**
 * One file's change for approval: every line, soft-wrapped, with hidden characters spelled out. Only the agent says
 * that a line is unchanged, so nothing is folded until a person asks for it.
 */
export function ExactDiff({ change }: { change: ShownChange }) {
  const { path, source } = change;
  const counts = changeCounts(change);
  const [isFolded, setFolded] = useState(false);
  const lines = useMemo(() => exactRows(changeLines(change)), [change]);
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
      <ExactBox size={linesSize(lines.length)} className="py-1 text-xs">
        <code className="block">
          <DiffRows
            change={change}
            lines={lines}
            rows={isFolded ? folded : lines}
            onUnfold={() => setFolded(false)}
          />
        </code>
      </ExactBox>
      {extra !== undefined && (
        <ExactBox size={sizeOf(extra)} className="border-line border-t px-2.5 py-1 text-2xs">
          {extra}
        </ExactBox>
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
              {isFolded ? "Show unchanged lines" : "Fold unchanged lines"}
            </TextButton>
          )}
        </p>
      )}
    </figure>
  );
}

/** Further keys of the element a change was read from. */
function extraOf({ source }: ShownChange): string | undefined {
  if (!source || Object.keys(source.extra).length === 0) return undefined;
  return exactLines(JSON.stringify(source.extra, null, 2));
}

/** What no line of a change shows. */
function notesOn(change: ShownChange): string[] {
  const { before, comparedWith, source } = change;
  const end = openEndWords(change);
  return [
    ...(before === null ? [`New file${source?.keys.before ? ` (${source.keys.before} is null)` : ""}`] : []),
    ...(comparedWith === undefined
      ? []
      : [`Compared with ${exactName(comparedWith)}, as the agent shows it`]),
    ...(end === undefined ? [] : [end]),
  ];
}

/** Lines in the exact notation. Where only blanks were changed, those are spelled out too. */
function exactRows(lines: readonly DiffLine[]): readonly DiffLine[] {
  const squeezed = ({ text }: DiffLine) => text.replace(/\s+/g, "");
  const sides = { "-": new Set<string>(), "+": new Set<string>(), " ": new Set<string>() };
  for (const line of lines) sides[line.sign].add(squeezed(line));
  const opposite = { "-": sides["+"], "+": sides["-"], " ": new Set<string>() };
  return lines.map((line) => {
    const show = opposite[line.sign].has(squeezed(line)) ? exactBlanks : exactLines;
    return { sign: line.sign, text: show(line.text) };
  });
}
