import { type Session, stateName } from "@drover/core";
import { useEffect } from "react";
import { useDrover } from "../state/drover.ts";
import type { LiveSession } from "../state/live-session.ts";
import { useStore } from "../state/store.ts";
import type { SessionView } from "../state/view.ts";
import { Transcript } from "../transcript/transcript.tsx";
import { lazily } from "../ui/lazily.ts";
import { Composer } from "./composer.tsx";
import { QueueList } from "./queue-list.tsx";
import { SessionHeader } from "./session-header.tsx";
import type { SessionQuery, SessionTab } from "./session-href.ts";
import { StateLine } from "./state-line.tsx";

interface LiveViewProps extends SessionQuery {
  readonly session: Session;
  readonly live: LiveSession;
  readonly view: SessionView;
  readonly tab: SessionTab;
}

const ChangesPage = lazily(async () => (await import("../changes/changes-page.tsx")).ChangesPage);
const ReviewPage = lazily(async () => (await import("../review/review-page.tsx")).ReviewPage);
const ProposalsPage = lazily(async () => (await import("../worker/proposals-page.tsx")).ProposalsPage);
const WorkerHead = lazily(async () => (await import("../worker/worker-head.tsx")).WorkerHead);
const RawLogPage = lazily(async () => (await import("./raw-log-page.tsx")).RawLogPage);

export function LiveView({ session, live, view, tab, at, turn, against }: LiveViewProps) {
  const state = stateName(view.state);
  return (
    <>
      <SessionHeader session={session} state={state} tab={tab} />
      {tab === "transcript" && session.worker && <WorkerHead session={session} />}
      {tab === "transcript" && <Conversation session={session} live={live} view={view} at={at} />}
      {tab === "changes" && <ChangesPage {...{ session, view, turn, against }} />}
      {tab === "review" && <ReviewPage {...{ session, view }} />}
      {tab === "proposals" && <ProposalsPage session={session} />}
      {tab === "log" && <RawLogPage session={session} />}
    </>
  );
}

function Conversation({ session, live, view, at }: Omit<LiveViewProps, "tab" | "turn" | "against">) {
  const { outbox } = useDrover();
  const prompts = useStore(outbox.prompts, (all) => all);
  const { lastSeq, queue, queuePaused, turn, usage, reason, model, agentMode } = view.state;
  const state = stateName(view.state);
  useEffect(() => outbox.reached(session.id, lastSeq), [outbox, session.id, lastSeq]);
  return (
    <>
      <Transcript
        session={session}
        live={live}
        view={view}
        prompts={prompts.filter(({ sessionId }) => sessionId === session.id)}
        at={at}
      />
      <footer className="column-bar pb-[max(0.75rem,env(safe-area-inset-bottom))]">
        <StateLine {...{ session, state, turn, usage, reason, model, agentMode }} />
        <QueueList sessionId={session.id} queue={queue} paused={queuePaused} />
        <Composer
          session={session}
          state={state}
          running={turn !== undefined}
          held={queuePaused ? queue[0]?.messageId : undefined}
          lastPrompt={view.items.findLast(({ kind }) => kind === "user")?.text}
        />
      </footer>
    </>
  );
}
