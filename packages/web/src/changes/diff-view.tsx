import { type Ref, useCallback, useEffect, useImperativeHandle, useMemo, useRef, useState } from "react";
import type { FileView } from "./change-set.ts";
import type { CommentedLines } from "./commented-lines.ts";
import { beginComment, useComments } from "./comments.ts";
import { DiffFile, type FileActions } from "./diff-file.tsx";
import { splitGrid, unifiedGrid } from "./diff-row.tsx";
import type { DiffMode } from "./layout.ts";
import { type BoxHeights, useBlocks } from "./use-blocks.ts";
import { useMeasures } from "./use-measures.ts";
import { useScroll } from "./use-scroll.ts";

export interface DiffViewHandle {
  /** Scrolls a file to the top. */
  show(path: string): void;
  /** Moves the focus to the first changed line of a file. */
  focusLines(path: string): void;
}

interface DiffViewProps {
  readonly ref: Ref<DiffViewHandle>;
  readonly diffId: string;
  readonly files: readonly FileView[];
  readonly mode: DiffMode;
  readonly folded: ReadonlySet<string>;
  readonly onFold: (path: string) => void;
  readonly root: string | undefined;
  readonly takeBack: FileActions["takeBack"];
  readonly viewed: FileActions["viewed"];
  readonly onReveal: FileActions["onReveal"];
  /** Files whose lines are needed now. */
  readonly onWant: (paths: readonly string[]) => void;
  readonly onCurrent: (path: string | undefined) => void;
}

/** All changes on one long page, of which only the part in view is rendered. */
export function DiffView(props: DiffViewProps) {
  const { ref, diffId, files, mode, folded, root, takeBack, viewed, onFold, onReveal } = props;
  const { onWant, onCurrent } = props;
  const scroller = useRef<HTMLElement>(null);
  const probe = useRef<HTMLSpanElement>(null);
  const comments = useComments(diffId);
  const [boxes, setBoxes] = useState<BoxHeights>(new Map());
  const measures = useMeasures(probe);
  const { blocks, height, placements, extras } = useBlocks({
    files,
    mode,
    folded,
    measures,
    comments,
    boxes,
  });
  const { view, current, toFile } = useScroll(scroller, blocks);

  const onComment = useCallback(
    (path: string, lines: CommentedLines) => beginComment(diffId, path, lines),
    [diffId],
  );
  const onHeight = useCallback((path: string, at: number, boxHeight: number) => {
    setBoxes((known) => {
      const own = known.get(path);
      if (own?.get(at) === boxHeight) return known;
      return new Map(known).set(path, new Map(own).set(at, boxHeight));
    });
  }, []);
  const actions = useMemo(
    (): FileActions => ({ root, takeBack, viewed, onFold, onComment, onHeight, onReveal }),
    [root, takeBack, viewed, onFold, onComment, onHeight, onReveal],
  );
  useImperativeHandle(ref, () => ({
    show: (path) => toFile(blocks.findIndex(({ file }) => file.path === path)),
    focusLines: (path) => {
      const at = drawn.findIndex(({ file }) => file.path === path);
      const file = scroller.current?.querySelectorAll("section")[at];
      const numbers = [...(file?.querySelectorAll<HTMLElement>("button[data-row]") ?? [])];
      const visible = numbers.filter(({ offsetParent }) => offsetParent !== null);
      (visible.find(({ dataset }) => dataset["changed"] !== undefined) ?? visible[0])?.focus();
    },
  }));

  const drawn = blocks.filter(({ top, height: own }) => top < view.to && top + own > view.from);
  const wanted = drawn.filter(({ folded: isFolded }) => !isFolded).map(({ file }) => file.path);
  const wantedKey = JSON.stringify(wanted);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list is new on every render, its content is not
  useEffect(() => onWant(wanted), [wantedKey, onWant]);
  const currentPath = blocks[current]?.file.path;
  useEffect(() => onCurrent(currentPath), [currentPath, onCurrent]);

  return (
    <section
      ref={scroller}
      aria-label="Diff"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls takes the keys that scroll it
      tabIndex={0}
      className="relative h-full min-w-0 flex-1 overflow-y-auto px-3 focus-inset [overflow-anchor:none]"
    >
      <Probe mode={mode} ref={probe} />
      <div className="relative my-3" style={{ height }}>
        {drawn.map((block) => (
          <DiffFile
            key={block.file.path}
            {...{ diffId, block, view, actions }}
            placement={placements.get(block.file.path)}
            extras={extras.get(block.file.path)}
          />
        ))}
      </div>
    </section>
  );
}

/** An invisible line with the same layout as all others, to measure. */
function Probe({ mode, ref }: { mode: DiffMode; ref: Ref<HTMLSpanElement> }) {
  const isSplit = mode === "split";
  return (
    <div
      aria-hidden="true"
      className={`invisible absolute inset-x-3 grid divide-x divide-line border border-line font-mono text-xs leading-5 ${isSplit ? "grid-cols-2" : ""}`}
    >
      <div className={isSplit ? splitGrid : unifiedGrid}>
        <span />
        {!isSplit && <span className="hidden @2xl:block" />}
        <span />
        <span ref={ref} className="min-w-0 overflow-hidden pr-2">
          <span className="inline-block">{"0".repeat(100)}</span>
        </span>
      </div>
      {isSplit && <div />}
    </div>
  );
}
