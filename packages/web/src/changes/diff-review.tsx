import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useShortcuts } from "../keyboard/use-shortcuts.ts";
import { useStore } from "../state/store.ts";
import type { ChangeSet } from "./change-set.ts";
import { CommitButton } from "./commit-button.tsx";
import { useMode } from "./diff-mode.ts";
import type { DiffSource } from "./diff-source.ts";
import { DiffView, type DiffViewHandle } from "./diff-view.tsx";
import { EditProblem } from "./edit-problem.tsx";
import { FileList } from "./file-list.tsx";
import { FileMenu } from "./file-menu.tsx";
import type { LineRange } from "./hunks.ts";
import { NoChanges, type Nothing } from "./no-changes.tsx";
import { Toolbar } from "./toolbar.tsx";
import { useChangeSet } from "./use-change-set.ts";
import { useEdits } from "./use-edits.ts";
import { useViewed, type Viewed } from "./viewed.ts";

interface DiffReviewProps {
  readonly source: DiffSource;
  /** Chooses the source, if there are several. */
  readonly menu?: ReactNode;
  /** In the toolbar. */
  readonly actions?: ReactNode;
  readonly nothing: Nothing;
  /** The directory that paths are relative to, if known. */
  readonly root: string | undefined;
  /** Why changes can't be taken back or committed now. */
  readonly locked?: string | undefined;
  /** Files can be ticked as viewed. */
  readonly hasViewed?: boolean;
}

/** Changed files, their diff, and comments on its lines, wherever the diff comes from. */
export function DiffReview(props: DiffReviewProps) {
  const changeSet = useChangeSet(props.source);
  return changeSet ? <OpenReview key={props.source.id} {...props} changeSet={changeSet} /> : null;
}

/** From this width on, there is room for the file list beside the diff and for two columns of code. */
const wideFrom = 760;

type OpenReviewProps = DiffReviewProps & { readonly changeSet: ChangeSet };

function OpenReview(props: OpenReviewProps) {
  const { source, menu, actions, nothing, root, locked, hasViewed = false, changeSet } = props;
  const state = useStore(changeSet.state, (now) => now);
  const [current, setCurrent] = useState<string>();
  const view = useRef<DiffViewHandle>(null);
  const { frame, wide } = useWidth();
  const chosen = useMode();
  const { files } = state;
  const viewed = useViewed(source.id, files);
  const { folded, fold, unset } = useFolded(hasViewed ? viewed.paths : none);
  const { busy, problem, file: edited, takeBack } = useEdits(source, changeSet, locked);

  const show = useCallback((path: string) => view.current?.show(path), []);
  const step = (by: number) => {
    const at = files.findIndex(({ path }) => path === current);
    const next = files[Math.min(Math.max(at + by, 0), files.length - 1)];
    if (next) show(next.path);
  };
  const tick = useCallback<Viewed["tick"]>(
    (file, isViewed) => {
      viewed.tick(file, isViewed);
      unset(file.path);
    },
    [viewed, unset],
  );
  const ticks = useMemo(() => (hasViewed ? { ...viewed, tick } : undefined), [hasViewed, viewed, tick]);
  useShortcuts({
    next: () => step(1),
    previous: () => step(-1),
    lines: () => current !== undefined && view.current?.focusLines(current),
    ...(hasViewed
      ? {
          viewed: () => {
            const file = files.find(({ path }) => path === current);
            if (file) tick(file, !viewed.paths.has(file.path));
          },
        }
      : {}),
  });
  const reveal = useCallback((path: string, range: LineRange) => changeSet.reveal(path, range), [changeSet]);
  // Whether a ticked file is still the same shows only once its lines are loaded.
  const want = useCallback(
    (paths: readonly string[]) => changeSet.want(ticks ? [...paths, ...ticks.paths] : paths),
    [changeSet, ticks],
  );

  return (
    <div ref={frame} className="@container flex min-h-0 flex-1 flex-col">
      <Toolbar
        state={state}
        wide={wide}
        onRefresh={() => void changeSet.refresh()}
        menu={menu}
        totals={hasViewed && <ViewedCount files={files.length} viewed={viewed.paths.size} />}
        files={
          !wide &&
          files.length > 0 && <FileMenu {...{ files, current }} viewed={ticks?.paths} onChoose={show} />
        }
        actions={
          <>
            {actions}
            <CommitButton {...{ source, state, locked }} onDone={() => void changeSet.refresh()} />
          </>
        }
      />
      <EditProblem
        problem={problem}
        busy={busy}
        onForce={() => edited && takeBack?.onFile(edited, { force: true })}
      />
      {files.length === 0 ? (
        <NoChanges state={state} nothing={nothing} onRetry={() => void changeSet.refresh()} />
      ) : (
        <div className="flex min-h-0 flex-1">
          {wide && (
            <div className="w-60 shrink-0 border-line border-r">
              <FileList {...{ files, current }} viewed={ticks?.paths} onChoose={show} />
            </div>
          )}
          <DiffView
            ref={view}
            diffId={source.id}
            files={files}
            mode={wide ? chosen : "unified"}
            root={root}
            takeBack={takeBack}
            viewed={ticks}
            folded={folded}
            onFold={fold}
            onReveal={source.loadLines && reveal}
            onWant={want}
            onCurrent={setCurrent}
          />
        </div>
      )}
    </div>
  );
}

const none: ReadonlySet<string> = new Set();

function ViewedCount({ files, viewed }: { files: number; viewed: number }) {
  return (
    <p role="status" className="min-w-0 flex-1 truncate text-muted text-xs tabular-nums">
      {files > 0 && `${viewed.toLocaleString("en")} of ${files.toLocaleString("en")} viewed`}
    </p>
  );
}

/** Viewed files are folded, unless the reader folds or unfolds them. */
function useFolded(viewed: ReadonlySet<string>) {
  const [chosen, setChosen] = useState<ReadonlyMap<string, boolean>>(new Map());
  const folded = useMemo(() => {
    const all = new Set(viewed);
    for (const [path, isFolded] of chosen)
      if (isFolded) all.add(path);
      else all.delete(path);
    return all;
  }, [viewed, chosen]);
  const latest = useRef(folded);
  latest.current = folded;
  const fold = useCallback((path: string) => {
    setChosen((known) => new Map(known).set(path, !latest.current.has(path)));
  }, []);
  const unset = useCallback((path: string) => {
    setChosen((known) => new Map([...known].filter(([other]) => other !== path)));
  }, []);
  return { folded, fold, unset };
}

function useWidth() {
  const frame = useRef<HTMLDivElement>(null);
  const [wide, setWide] = useState(true);
  useEffect(() => {
    if (!frame.current) return;
    const observer = new ResizeObserver(([entry]) => setWide((entry?.contentRect.width ?? 0) >= wideFrom));
    observer.observe(frame.current);
    return () => observer.disconnect();
  }, []);
  return { frame, wide };
}
