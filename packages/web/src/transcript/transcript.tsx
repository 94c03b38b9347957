import type { Session } from "@drover/core";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useShortcuts } from "../keyboard/use-shortcuts.ts";
import { useSeen } from "../session/use-seen.ts";
import type { LiveSession } from "../state/live-session.ts";
import type { Prompt } from "../state/outbox.ts";
import type { SessionView } from "../state/view.ts";
import { DownIcon } from "../ui/icons.tsx";
import { arrange } from "./entries.ts";
import { FindBar } from "./find-bar.tsx";
import { NothingYet } from "./nothing-yet.tsx";
import { type Reader, ReaderProvider } from "./reader.ts";
import { Row } from "./row.tsx";
import { Tail } from "./tail.tsx";
import { undoneTurns } from "./undone.ts";
import { useFind } from "./use-find.ts";
import { useFollow } from "./use-follow.ts";
import { useFoundMarks } from "./use-found-marks.ts";
import { usePromptKeys } from "./use-prompt-keys.ts";
import { usePaging, useRows } from "./use-rows.ts";
import { type Goal, useTarget } from "./use-target.ts";

interface TranscriptProps {
  readonly session: Session;
  readonly live: LiveSession;
  readonly view: SessionView;
  readonly prompts: readonly Prompt[];
  /** The seq that the address points to. */
  readonly at: number | undefined;
}

export function Transcript({ session, live, view, prompts, at }: TranscriptProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const top = useRef(0);
  const [target, setTarget] = useState<Goal>();
  const { items, settled, state, newer } = view;
  const entries = useMemo(
    () => arrange(items, [...settled, ...state.interactions]),
    [items, settled, state.interactions],
  );
  const { rows, drawn } = useRows({ scroller, entries, top });
  const { following, isClose, setFollowing } = useFollow({ scroller, content, top, enabled: !newer });
  usePaging({ live, view, count: entries.length, drawn, following });
  useTarget({ scroller, rows, entries, target });
  useEffect(() => live.follow(following), [live, following]);
  useSeen({ session, lastSeq: state.lastSeq, atEnd: following && !newer });

  const lead = useCallback(
    (seq: number, text = "") => {
      setFollowing(false);
      setTarget({ seq, text });
    },
    [setFollowing],
  );
  useEffect(() => {
    if (at !== undefined) void live.showAround(at).then(() => lead(at));
  }, [live, at, lead]);

  const find = useFind({ live, view, onFound: lead });
  /** Counts requests. Each one selects the text in the field again. */
  const [finding, setFinding] = useState(0);
  useFoundMarks(content, finding > 0 ? find.query : "");
  const endFind = () => {
    setFinding(0);
    find.stop();
  };
  const jump = () => {
    setTarget(undefined);
    setFollowing(true);
    void live.showLatest();
  };
  usePromptKeys({ rows, entries, setFollowing });
  useShortcuts({ find: () => setFinding(finding + 1), latest: jump });

  const changes = items.filter(({ kind }) => kind === "changes");
  // Text that streams in must not render every row again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: these items never change
  const undone = useMemo(() => undoneTurns(changes), [changes.map(({ id }) => id).join()]);
  const reader = useMemo<Reader>(
    () => ({ session, following, runningTurn: state.turn?.id, target: target?.seq, undone }),
    [session, following, state.turn?.id, target, undone],
  );
  const empty = entries.length === 0 && prompts.length === 0 && state.interactions.length === 0;
  return (
    <ReaderProvider value={reader}>
      <div className="@container relative min-h-0 flex-1">
        {finding > 0 && <FindBar key={finding} find={find} onClose={endFind} />}
        <div
          ref={scroller}
          className="column-scroller focus-inset h-full [overflow-anchor:none]"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard
          tabIndex={0}
          role="log"
          aria-label="Transcript"
          aria-live="off"
        >
          <div ref={content} className="column">
            {empty && <NothingYet session={session} />}
            <div className="relative" style={{ height: rows.getTotalSize() }}>
              <div
                className="absolute inset-x-0 top-0"
                style={{ transform: `translateY(${drawn[0]?.start ?? 0}px)` }}
              >
                {drawn.map(({ key, index }) => {
                  const entry = entries[index];
                  return (
                    <div key={key} ref={rows.measureElement} data-index={index} className="pb-3">
                      {entry && <Row entry={entry} />}
                    </div>
                  );
                })}
              </div>
            </div>
            {!newer && <Tail session={session} view={view} prompts={prompts} />}
          </div>
        </div>
        {((!following && !isClose) || newer) && (
          <button
            type="button"
            onClick={jump}
            className="absolute bottom-3 z-10 flex h-7 items-center justify-center gap-1.5 rounded-full bg-overlay text-xs shadow-float hover:bg-hover max-md:right-3 max-md:size-10 md:left-1/2 md:-translate-x-1/2 md:px-3"
          >
            <DownIcon size={13} />
            <span className="max-md:sr-only">Jump to latest</span>
          </button>
        )}
      </div>
    </ReaderProvider>
  );
}
