import { exactText, ok } from "@drover/core";
import { memo, useMemo } from "react";
import { type DiffSide, useDiffColours } from "../code/use-diff-colours.ts";
import { ProblemText } from "../ui/problem.tsx";
import type { FileView } from "./change-set.ts";
import { CommentBox } from "./comment-box.tsx";
import { type CommentedLines, rowsOf } from "./commented-lines.ts";
import { DiffLines } from "./diff-lines.tsx";
import { FileHead } from "./file-head.tsx";
import type { HunkActions, OnReveal } from "./hunk-line.tsx";
import type { LineRange } from "./hunks.ts";
import { type Block, type Extras, headerHeight, lastAtOrAbove } from "./layout.ts";
import type { Placement } from "./placement.ts";
import type { DiffRow } from "./rows.ts";
import type { TakeBack } from "./use-edits.ts";
import { useLineChoice } from "./use-line-choice.ts";
import { useReveal } from "./use-reveal.ts";
import type { Viewed } from "./viewed.ts";

/** Actions on a file. */
export interface FileActions {
  /** The directory that paths are relative to, if known. */
  readonly root: string | undefined;
  readonly takeBack: TakeBack | undefined;
  readonly viewed: Viewed | undefined;
  readonly onFold: (path: string) => void;
  readonly onComment: (path: string, lines: CommentedLines) => void;
  readonly onHeight: (path: string, at: number, height: number) => void;
  readonly onReveal: ((path: string, range: LineRange) => ReturnType<OnReveal>) | undefined;
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
      <FileHead
        {...{ file, folded }}
        root={actions.root}
        takeBack={actions.takeBack}
        viewed={actions.viewed}
        onFold={actions.onFold}
      />
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
  const { body, onReveal } = useReveal(
    lines.rows,
    async (range) => actions.onReveal?.(path, range) ?? ok(true),
  );
  const { chosen, handlers } = useLineChoice({
    body,
    rows: lines.rows,
    onChoose: (commented) => actions.onComment(path, commented),
  });
  const commented = useMemo(() => {
    const several = [...(placement?.values() ?? [])].flat().filter((comment) => comment.from !== undefined);
    return several.flatMap((comment) => rowsOf(lines.rows, comment));
  }, [placement, lines.rows]);
  const marked = useMemo(() => new Set([...chosen, ...commented]), [chosen, commented]);
  const { takeBack, onReveal: canReveal } = actions;
  const hunkActions = useMemo(
    (): HunkActions => ({ path, takeBack, ...(canReveal ? { onReveal } : {}) }),
    [path, takeBack, canReveal, onReveal],
  );
  const below = (at: number) => extras?.get(at) ?? 0;
  const colours = useDiffColours({ path, lines: lines.rows, sideOf });
  return (
    <div
      ref={body}
      className="relative overflow-clip rounded-b-lg font-mono text-xs leading-5"
      style={{ height: topOf(count) }}
      {...handlers}
    >
      <DiffLines {...{ lines, below, colours, hunkActions }} chosen={marked} from={first} to={last} />
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
