import type { Session } from "@drover/core";
import { useEffect, useRef, useState } from "react";
import { useDrover } from "../state/drover.ts";
import { LiveSession } from "../state/live-session.ts";
import { href, redirect } from "../state/route.ts";
import { useStore } from "../state/store.ts";
import { useAnswer } from "../state/use-answer.ts";
import type { Problem } from "../transport/wire.ts";
import { Empty } from "../ui/empty.tsx";
import { BackHome, Page } from "../ui/page.tsx";
import { LiveView } from "./live-view.tsx";

/** The session an address names: found in the list, or asked for when the list does not have it. */
export function SessionPage({ idOrName }: { idOrName: string }) {
  const { sessions } = useDrover();
  /** Once found it is the one that is meant, whatever it is called later. */
  const found = useRef<string>(undefined);
  const listed = useStore(sessions.state, () => sessions.find(found.current ?? idOrName));
  found.current = listed?.id;
  const renamed = listed && listed.id !== idOrName && listed.name !== idOrName ? listed.name : undefined;
  useEffect(() => {
    if (renamed !== undefined) redirect(href.session(renamed));
  }, [renamed]);
  const loaded = useStore(sessions.state, (list) => list.loaded);
  if (listed) return <OpenSession key={listed.id} session={listed} />;
  return loaded ? <UnlistedSession idOrName={idOrName} /> : <Loading />;
}

function UnlistedSession({ idOrName }: { idOrName: string }) {
  const { value, problem } = useAnswer<Session>(`/api/sessions/${idOrName}`);
  if (value) return <OpenSession key={value.id} session={value} />;
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
  return live ? <Opened session={session} live={live} /> : <Loading />;
}

function Opened({ session, live }: { session: Session; live: LiveSession }) {
  const state = useStore(live.state, (now) => now);
  if (state.phase === "failed") return <Unavailable problem={state.problem} />;
  return state.phase === "loading" ? (
    <Loading />
  ) : (
    <LiveView session={session} live={live} view={state.view} />
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
  // The server's words for this are for those who call it.
  const isGone = problem.code === "NOT_FOUND";
  return (
    <Page title="Session">
      <Empty title="This session cannot be shown" alert>
        <p>{isGone ? "There is none of this name. It may have been deleted or renamed." : problem.message}</p>
        <BackHome />
      </Empty>
    </Page>
  );
}
