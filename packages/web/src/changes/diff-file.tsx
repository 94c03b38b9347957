import { exactText } from "@drover/core";
import { memo, useCallback } from "react";
import { type DiffSide, useDiffColours } from "../code/use-diff-colours.ts";
import { CopyButton } from "../ui/copy-button.tsx";
import { Counts } from "../ui/counts.tsx";
import { ChevronIcon } from "../ui/icons.tsx";
import { PathText } from "../ui/path-text.tsx";
import { ProblemText } from "../ui/problem.tsx";
import type { FileView } from "./change-set.ts";
import { CommentBox } from "./comment-box.tsx";
import { DiffLines } from "./diff-lines.tsx";
import type { OnReveal } from "./hunk-line.tsx";
import type { LineRange } from "./hunks.ts";
import { type Block, type Extras, headerHeight, lastAtOrAbove } from "./layout.ts";
import type { Placement } from "./placement.ts";
import type { DiffRow } from "./rows.ts";
import { StatusMark } from "./status-mark.tsx";
import { useReveal } from "./use-reveal.ts";

/** Actions on a file. */
export interface FileActions {
  readonly onFold: (path: string) => void;
  readonly onComment: (path: string, row: DiffRow) => void;
  readonly onHeight: (path: string, at: number, height: number) => void;
  readonly onReveal: (path: string, range: LineRange) => ReturnType<OnReveal>;
}

interface DiffFileProps {
  readonly diffId: string;
  readonly block: Block;
  readonly placement: Placement | undefined;
  readonly extras: Extras | undefined;
  /** The rendered part of the page, in pixels from its top. */
  readonly view: { readonly from: number; readonly to: number };
  readonly actions: FileActions;
}

/** A changed file: a sticky header, and the lines in view. */
export const DiffFile = memo(function DiffFile(props: DiffFileProps) {
  const { diffId, block, placement, extras, view, actions } = props;
  const { file, top, height, folded, lines } = block;
  return (
    <section
      aria-label={exactText(file.path)}
      className="absolute inset-x-0 rounded-lg border border-line bg-canvas"
      style={{ top, height }}
    >
      <FileHead file={file} folded={folded} onFold={actions.onFold} />
      {lines && (
        <Body
          {...{ diffId, file, lines, placement, extras, actions }}
          from={view.from - top - headerHeight}
          to={view.to - top - headerHeight}
        />
      )}
      {!folded && !lines && (
        <div className="px-3 py-1 text-faint">
          {file.problem ? <ProblemText problem={file.problem} /> : "Loading…"}
        </div>
      )}
    </section>
  );
});

interface BodyProps extends Pick<DiffFileProps, "diffId" | "placement" | "extras" | "actions"> {
  readonly file: FileView;
  readonly lines: NonNullable<Block["lines"]>;
  readonly from: number;
  readonly to: number;
}

function Body({ diffId, file, lines, placement, extras, actions, from, to }: BodyProps) {
  const { path } = file;
  const count = lines.tops.length - 1;
  const topOf = (at: number) => lines.tops[at] ?? 0;
  const first = lastAtOrAbove(count, from, topOf);
  const last = Math.min(count, lastAtOrAbove(count, to, topOf) + 1);
  const onComment = useCallback((row: DiffRow) => actions.onComment(path, row), [actions, path]);
  const { body, onReveal } = useReveal(lines.rows, (range) => actions.onReveal(path, range));
  const below = (at: number) => extras?.get(at) ?? 0;
  const colours = useDiffColours({ path, lines: lines.rows, sideOf });
  return (
    <div
      ref={body}
      className="relative overflow-clip rounded-b-lg font-mono text-xs leading-5"
      style={{ height: topOf(count) }}
    >
      <DiffLines {...{ lines, below, colours, onComment, onReveal }} from={first} to={last} />
      {[...(placement ?? [])].map(
        ([at, comments]) =>
          at < last &&
          (at >= first - 1 || at < 0) && (
            <CommentBox
              key={comments[0]?.id ?? at}
              {...{ diffId, comments, at }}
              isOutdated={at < 0}
              top={at < 0 ? 0 : topOf(at + 1) - below(at)}
              onHeight={(height) => actions.onHeight(path, at, height)}
            />
          ),
      )}
    </div>
  );
}

const sides: Readonly<Partial<Record<DiffRow["kind"], DiffSide>>> = {
  context: "both",
  removed: "old",
  added: "now",
};
const sideOf = ({ kind }: DiffRow) => sides[kind];

interface FileHeadProps {
  readonly file: FileView;
  readonly folded: boolean;
  readonly onFold: (path: string) => void;
}

function FileHead({ file, folded, onFold }: FileHeadProps) {
  const { path, from, status } = file;
  return (
    <header className="sticky top-0 z-10 flex h-10 items-center gap-1.5 rounded-t-lg border-line border-b bg-raised pr-3 pl-1">
      <button
        type="button"
        aria-expanded={!folded}
        aria-label={`${folded ? "Expand" : "Collapse"} ${exactText(path)}`}
        onClick={() => onFold(path)}
        className={`flex size-7 max-md:size-10 shrink-0 items-center justify-center rounded-md text-muted hover:bg-hover ${folded ? "" : "rotate-90"}`}
      >
        <ChevronIcon size={14} />
      </button>
      <StatusMark status={status} />
      <h2 className="flex min-w-0 font-mono text-xs" title={exactText(path)}>
        {from !== undefined && (
          <span className="min-w-0 shrink-[2] truncate whitespace-pre text-faint">{`${exactText(from)} → `}</span>
        )}
        <PathText path={exactText(path)} />
      </h2>
      <CopyButton text={path} />
      <span className="ml-auto">
        <Counts {...file} />
      </span>
    </header>
  );
}
