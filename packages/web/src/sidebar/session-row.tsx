import type { Interaction, Session } from "@drover/core";
import { memo, useEffect, useRef } from "react";
import { AgentIcon } from "../agents/agent-icon.tsx";
import { useAgentName } from "../agents/agent-name.ts";
import { shortReviewWords } from "../format/review-words.ts";
import { ago, fullTime, useNow } from "../format/time.ts";
import { endingWords, stateWords } from "../format/words.ts";
import { sessionHref } from "../session/session-href.ts";
import { useLookedAt } from "../state/looked-at.ts";
import { StateDot } from "../ui/state-dot.tsx";
import { hasFailed } from "./groups.ts";

interface SessionRowProps {
  readonly session: Session;
  /** The session's open requests. */
  readonly open: readonly Interaction[];
  readonly selected: boolean;
}

/** Memoized: the list may be long, and sessions change often. */
export const SessionRow = memo(function SessionRow({ session, open, selected }: SessionRowProps) {
  const { name, title, agent, state, updatedAt, queued } = session;
  const now = useNow(30_000);
  const agentName = useAgentName(agent);
  const isUnread = useUnread(session, selected);
  const row = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (selected) row.current?.scrollIntoView({ block: "nearest" });
  }, [selected]);
  return (
    <li>
      <a
        ref={row}
        href={sessionHref(name)}
        aria-current={selected ? "page" : undefined}
        className={`flex scroll-mt-8 items-start gap-2.5 rounded-md px-2 py-1.5 max-md:py-2.5 ${selected ? "bg-hover" : "hover:bg-hover/60"}`}
      >
        <span className="flex h-5 items-center">
          <StateDot state={state} failed={hasFailed(session)} />
        </span>
        <span className="min-w-0 flex-1">
          <span className="flex items-baseline gap-2">
            <span
              title={title || name}
              className={`min-w-0 flex-1 truncate ${isUnread ? "font-semibold" : selected ? "font-medium" : ""}`}
            >
              {title || name}
            </span>
            {isUnread && <UnreadDot />}
            <time
              dateTime={updatedAt}
              title={fullTime(updatedAt)}
              className="text-2xs text-faint tabular-nums"
            >
              {ago(updatedAt, now)}
            </time>
          </span>
          <span className="flex items-center gap-1 text-faint text-xs">
            <AgentIcon name={agentName} size="small" />
            <span className="min-w-0 truncate">
              {agentName}
              {title && title !== name ? ` · ${name}` : ""}
            </span>
            <span className="ml-auto flex shrink-0 gap-2">
              <Standing session={session} open={open} />
              {queued > 0 && <span>{queued} queued</span>}
            </span>
          </span>
        </span>
      </a>
    </li>
  );
});

/** Whether to mark the session as unread. The one that someone is looking at is about to be marked as seen. */
function useUnread({ unread }: Session, selected: boolean): boolean {
  const isLookedAt = useLookedAt();
  return unread === true && !(selected && isLookedAt);
}

function UnreadDot() {
  return (
    <span title="Unread" className="size-1.5 shrink-0 self-center rounded-full bg-accent">
      <span className="sr-only">Unread</span>
    </span>
  );
}

const kindWords: Readonly<Record<Interaction["kind"], string>> = {
  approval: "Approval",
  question: "Question",
};

interface StandingProps extends Pick<SessionRowProps, "session" | "open"> {}

/** The session's status, if there is something to report. */
function Standing({ session, open }: StandingProps) {
  const { state, lastTurn, review } = session;
  const [first, ...more] = open;
  if (first)
    return (
      <span className="text-warn">{more.length > 0 ? `${open.length} requests` : kindWords[first.kind]}</span>
    );
  if (state !== "idle") {
    return <span className={state === "crashed" ? "text-bad" : ""}>{stateWords[state]}</span>;
  }
  if (!lastTurn || !hasFailed(session)) return <>{shortReviewWords[review?.state ?? "none"]}</>;
  return (
    <span className="text-bad" title={lastTurn.message ?? endingWords[lastTurn.reason]}>
      Failed
    </span>
  );
}
