import { type Session, stateName } from "@drover/core";
import { useEffect, useState } from "react";
import { useDrover } from "../state/drover.ts";
import { api } from "../state/http.ts";
import { LiveSession } from "../state/live-session.ts";
import { href } from "../state/route.ts";
import { useStore } from "../state/store.ts";
import type { Problem } from "../state/wire.ts";
import { Transcript } from "../transcript/transcript.tsx";
import { Composer } from "./composer.tsx";
import { QueueList } from "./queue-list.tsx";
import { SessionHeader } from "./session-header.tsx";
import { StateLine } from "./state-line.tsx";

/** The session an address names: found in the list, or asked for when the list does not have it. */
export function SessionPage({ idOrName }: { idOrName: string }) {
  const { sessions } = useDrover();
  const listed = useStore(sessions.state, () => sessions.find(idOrName));
  const loaded = useStore(sessions.state, (list) => list.loaded);
  const [fetched, setFetched] = useState<Session>();
  const [problem, setProblem] = useState<Problem>();
  const wanted = loaded && !listed;

  useEffect(() => {
    if (!wanted) return;
    void api<Session>("GET", `/api/sessions/${idOrName}`).then((answer) => {
      if (answer.ok) setFetched(answer.value);
      else setProblem(answer.error);
    });
  }, [idOrName, wanted]);

  const session = listed ?? fetched;
  if (session) return <OpenSession key={session.id} session={session} />;
  return problem ? <Unavailable problem={problem} /> : <Loading />;
}

function OpenSession({ session }: { session: Session }) {
  const { connection } = useDrover();
  const [live, setLive] = useState<LiveSession>();
  useEffect(() => {
    const opened = new LiveSession(connection, session.id);
    setLive(opened);
    return () => opened.close();
  }, [connection, session.id]);
  return live ? <LiveView session={session} live={live} /> : <Loading />;
}

function LiveView({ session, live }: { session: Session; live: LiveSession }) {
  const { outbox } = useDrover();
  const liveState = useStore(live.state, (state) => state);
  const prompts = useStore(outbox.prompts, (all) => all);
  const lastSeq = liveState.phase === "ready" ? liveState.view.state.lastSeq : 0;
  useEffect(() => outbox.reached(session.id, lastSeq), [outbox, session.id, lastSeq]);

  if (liveState.phase === "failed") return <Unavailable problem={liveState.problem} />;
  if (liveState.phase === "loading") return <Loading />;
  const { view } = liveState;
  const state = stateName(view.state);
  return (
    <>
      <SessionHeader session={session} state={state} />
      <Transcript
        view={view}
        prompts={prompts.filter(({ sessionId }) => sessionId === session.id)}
        capabilities={session.capabilities}
        onLoadEarlier={() => void live.loadEarlier()}
      />
      <footer className="mx-auto w-full max-w-[46rem] px-4 pb-[max(0.75rem,env(safe-area-inset-bottom))] md:px-6">
        <StateLine session={session} view={view} state={state} />
        <QueueList sessionId={session.id} queue={view.state.queue} paused={view.state.queuePaused} />
        <Composer sessionId={session.id} state={state} running={view.state.turn !== undefined} />
      </footer>
    </>
  );
}

/** Seen only when opening takes long enough to be wondered about. */
function Loading() {
  return (
    <p role="status" className="m-auto animate-late text-faint">
      Opening…
    </p>
  );
}

function Unavailable({ problem }: { problem: Problem }) {
  return (
    <div role="alert" className="m-auto max-w-sm px-6 text-center">
      <p className="font-medium">This session cannot be shown</p>
      <p className="mt-1 text-muted">{problem.message}</p>
      <p className="mt-3">
        <a className="text-accent" href={href.home}>
          Back to all sessions
        </a>
      </p>
    </div>
  );
}
