import { memo, type ReactNode } from "react";
import type { Line } from "../code/highlighter.ts";
import { piecesOf, type Stretch } from "../code/line-pieces.ts";
import type { Side } from "./commented-lines.ts";
import type { DiffRow } from "./rows.ts";

const looks: Readonly<Record<DiffRow["kind"], string>> = {
  added: "bg-good/10",
  removed: "bg-bad/10",
  context: "",
  hunk: "",
  note: "",
};
const marks: Readonly<Record<DiffRow["kind"], string>> = {
  added: "bg-good/28",
  removed: "bg-bad/28",
  context: "",
  hunk: "",
  note: "",
};
const signs: Readonly<Record<DiffRow["kind"], string>> = {
  added: "+",
  removed: "−",
  context: " ",
  hunk: " ",
  note: " ",
};

/** Lines wrap at the last column, so that their height is known before they are rendered. */
const code = "min-w-0 whitespace-pre-wrap break-all pr-2 [tab-size:4]";

export const unifiedGrid =
  "grid grid-cols-[2.75rem_1.125rem_minmax(0,1fr)] @2xl:grid-cols-[2.75rem_2.75rem_1.125rem_minmax(0,1fr)]";
export const splitGrid = "grid grid-cols-[2.75rem_1.125rem_minmax(0,1fr)]";

interface LineProps {
  readonly row: DiffRow;
  readonly stretches?: readonly Stretch[] | undefined;
  /** Its colours, once known. */
  readonly tokens?: Line | undefined;
  /** Its place among the rows. */
  readonly at: number;
  /** Chosen for a comment, or one of several that a comment is about. */
  readonly isChosen: boolean;
}

const chosenLook = "shadow-[inset_3px_0_0_var(--accent)]";

/** A line with its old and new numbers. A narrow page has room for one of them. */
export const UnifiedLine = memo(function UnifiedLine({ row, stretches, tokens, at, isChosen }: LineProps) {
  return (
    <div className={`group/line h-full ${unifiedGrid} ${looks[row.kind]} ${isChosen ? chosenLook : ""}`}>
      <LineNumber {...{ row, at }} line={row.old} narrow={row.now === 0} />
      <LineNumber {...{ row, at }} line={row.now} narrow={row.now > 0} />
      <Sign kind={row.kind} />
      <Code row={row} stretches={stretches} tokens={tokens} />
    </div>
  );
});

/** A line on one side. */
export const SideLine = memo(function SideLine({
  row,
  stretches,
  tokens,
  at,
  isChosen,
  side,
}: LineProps & { readonly side: Side }) {
  return (
    <div className={`group/line h-full ${splitGrid} ${looks[row.kind]} ${isChosen ? chosenLook : ""}`}>
      <LineNumber {...{ row, at, side }} line={row[side]} narrow />
      <Sign kind={row.kind} />
      <Code row={row} stretches={stretches} tokens={tokens} />
    </div>
  );
});

/** A full-width line that is not part of the file. */
export function NoteLine({ row }: { row: DiffRow }) {
  return (
    <div className="flex h-full items-center truncate px-3 font-mono text-2xs text-faint">{row.text}</div>
  );
}

interface LineNumberProps {
  readonly row: DiffRow;
  readonly line: number;
  /** Shown even where there is room for only one number. */
  readonly narrow: boolean;
  readonly at: number;
  /** Where each side has a column. */
  readonly side?: Side | undefined;
}

/** A line's number is a button; `useLineChoice` handles it. */
function LineNumber({ row, line, narrow, at, side = "now" }: LineNumberProps) {
  const width = narrow ? "" : "hidden @2xl:block";
  if (line === 0) return <span className={width} />;
  return (
    <button
      type="button"
      aria-label={`Comment on ${row.kind === "removed" ? "removed " : ""}line ${line}`}
      data-old-line={row.old}
      data-row={at}
      data-changed={row.kind === "context" ? undefined : ""}
      // The arrow keys go from line to line, not from one number of a line to the other.
      data-side={narrow ? side : "other"}
      className={`relative scroll-my-14 h-full min-h-0 select-none pr-2 text-right align-top text-2xs text-faint tabular-nums leading-5 hover:text-ink pointer-coarse:text-accent ${width}`}
    >
      <span className="absolute inset-y-0 right-2 top-0">{line}</span>
      <span className="absolute top-0.5 left-0.5 hidden size-4 items-center justify-center rounded-sm bg-accent font-medium text-2xs text-inverse leading-none group-focus-within/line:flex group-hover/line:flex">
        +
      </span>
    </button>
  );
}

function Sign({ kind }: { kind: DiffRow["kind"] }) {
  const colour = kind === "added" ? "text-good" : "text-bad";
  return <span className={`select-none text-center ${colour}`}>{signs[kind]}</span>;
}

function Code({ row, stretches, tokens }: Omit<LineProps, "at" | "isChosen">): ReactNode {
  if (!stretches && !tokens) return <span className={code}>{row.text}</span>;
  const pieces = piecesOf(stretches ?? [{ text: row.text, changed: false }], tokens);
  return (
    <span className={code}>
      {pieces.map(({ text, changed, look = "" }, at) =>
        changed || look ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a line never move
          <span key={at} className={changed ? `code-changed rounded-xs ${marks[row.kind]} ${look}` : look}>
            {text}
          </span>
        ) : (
          text
        ),
      )}
    </span>
  );
}
