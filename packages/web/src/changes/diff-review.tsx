import { type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import { useShortcuts } from "../keyboard/use-shortcuts.ts";
import { useStore } from "../state/store.ts";
import type { ChangeSet } from "./change-set.ts";
import type { SubmitComments } from "./comment-bar.tsx";
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

interface DiffReviewProps {
  readonly source: DiffSource;
  /** Chooses the source. */
  readonly menu: ReactNode;
  readonly nothing: Nothing;
  /** The directory that paths are relative to, if known. */
  readonly root: string | undefined;
  /** Why changes can't be taken back or committed now. */
  readonly locked: string | undefined;
  readonly onSubmitComments: SubmitComments;
}

/** Changed files, their diff, and comments on its lines, wherever the diff comes from. */
export function DiffReview(props: DiffReviewProps) {
  const changeSet = useChangeSet(props.source);
  return changeSet ? <OpenReview key={props.source.id} {...props} changeSet={changeSet} /> : null;
}

/** From this width on, there is room for the file list beside the diff and for two columns of code. */
const wideFrom = 760;

type OpenReviewProps = DiffReviewProps & { readonly changeSet: ChangeSet };

function OpenReview({ source, menu, nothing, root, locked, onSubmitComments, changeSet }: OpenReviewProps) {
  const state = useStore(changeSet.state, (now) => now);
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const [current, setCurrent] = useState<string>();
  const view = useRef<DiffViewHandle>(null);
  const { frame, wide } = useWidth();
  const chosen = useMode();
  const { files } = state;
  const { busy, problem, file: edited, takeBack } = useEdits(source, changeSet, locked);

  const show = useCallback((path: string) => view.current?.show(path), []);
  const step = (by: number) => {
    const at = files.findIndex(({ path }) => path === current);
    const next = files[Math.min(Math.max(at + by, 0), files.length - 1)];
    if (next) show(next.path);
  };
  useShortcuts({ next: () => step(1), previous: () => step(-1) });
  const fold = useCallback((path: string) => setFolded((known) => toggled(known, path)), []);
  const reveal = useCallback((path: string, range: LineRange) => changeSet.reveal(path, range), [changeSet]);
  const want = useCallback((paths: readonly string[]) => changeSet.want(paths), [changeSet]);

  return (
    <div ref={frame} className="@container flex min-h-0 flex-1 flex-col">
      <Toolbar
        diffId={source.id}
        onSubmitComments={onSubmitComments}
        state={state}
        wide={wide}
        onRefresh={() => void changeSet.refresh()}
        menu={menu}
        files={!wide && files.length > 0 && <FileMenu files={files} current={current} onChoose={show} />}
        actions={<CommitButton {...{ source, state, locked }} onDone={() => void changeSet.refresh()} />}
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
              <FileList files={files} current={current} onChoose={show} />
            </div>
          )}
          <DiffView
            ref={view}
            diffId={source.id}
            files={files}
            mode={wide ? chosen : "unified"}
            root={root}
            takeBack={takeBack}
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

function toggled(known: ReadonlySet<string>, path: string): ReadonlySet<string> {
  const next = new Set(known);
  if (!next.delete(path)) next.add(path);
  return next;
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
