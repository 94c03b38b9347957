import type { Session } from "@drover/core";
import { useEffect, useRef, useState } from "react";
import { redirect } from "../routing/route.ts";
import { useDrover } from "../state/drover.ts";
import { LiveSession } from "../state/live-session.ts";
import { useStore } from "../state/store.ts";
import { useAnswer } from "../state/use-resource.ts";
import type { Problem } from "../transport/wire.ts";
import { Empty } from "../ui/empty.tsx";
import { BackHome, Page } from "../ui/page.tsx";
import { PageNotFound } from "../ui/page-not-found.tsx";
import { usePageTitle } from "../ui/page-title.ts";
import { LiveView } from "./live-view.tsx";
import { type SessionQuery, type SessionTab, sessionHref, sessionTabs } from "./session-href.ts";

interface SessionPageProps {
  readonly session: string;
  readonly tab?: string | undefined;
  readonly at?: string;
  readonly turn?: string;
  readonly against?: string;
}

/** The part of the session to show. */
interface Shown extends SessionQuery {
  readonly tab: SessionTab;
}

export function SessionPage({ session, tab = "transcript", at, turn, against }: SessionPageProps) {
  const known = sessionTabs.find((name) => name === tab);
  if (known === undefined) return <PageNotFound />;
  const seq = Number(at);
  const shown: Shown = {
    tab: known,
    at: Number.isSafeInteger(seq) && seq > 0 ? seq : undefined,
    turn,
    against: against === "base" ? against : undefined,
  };
  return <NamedSession idOrName={session} shown={shown} />;
}

/** The session that the address names, from the list, or else fetched. */
function NamedSession({ idOrName, shown }: { idOrName: string; shown: Shown }) {
  const { sessions } = useDrover();
  /** Once found, the session stays the same even if it is renamed. */
  const found = useRef<string>(undefined);
  const listed = useStore(sessions.state, () => sessions.find(found.current ?? idOrName));
  found.current = listed?.id;
  const renamed = listed && listed.id !== idOrName && listed.name !== idOrName ? listed.name : undefined;
  useEffect(() => {
    const { tab, ...query } = shown;
    if (renamed !== undefined) redirect(sessionHref(renamed, tab, query));
  }, [renamed, shown]);
  const loaded = useStore(sessions.state, (list) => list.loaded);
  if (listed) return <OpenSession key={listed.id} session={listed} shown={shown} />;
  return loaded ? <UnlistedSession idOrName={idOrName} shown={shown} /> : <Loading />;
}

function UnlistedSession({ idOrName, shown }: { idOrName: string; shown: Shown }) {
  const { value, problem } = useAnswer<Session>(`/api/sessions/${idOrName}`);
  if (value) return <OpenSession key={value.id} session={value} shown={shown} />;
  return problem ? <Unavailable problem={problem} /> : <Loading />;
}

function OpenSession({ session, shown }: { session: Session; shown: Shown }) {
  usePageTitle(session.title || session.name);
  const { connection } = useDrover();
  const [live, setLive] = useState<LiveSession>();
  useEffect(() => {
    const opened = new LiveSession(connection, session.id);
    setLive(opened);
    return () => opened.close();
  }, [connection, session.id]);
  return live ? <Opened session={session} live={live} shown={shown} /> : <Loading />;
}

interface OpenedProps {
  readonly session: Session;
  readonly live: LiveSession;
  readonly shown: Shown;
}

function Opened({ session, live, shown }: OpenedProps) {
  const state = useStore(live.state, (now) => now);
  if (state.phase === "failed") return <Unavailable problem={state.problem} />;
  return state.phase === "loading" ? (
    <Loading />
  ) : (
    <LiveView session={session} live={live} view={state.view} {...shown} />
  );
}

/** Appears only when loading takes a while. */
function Loading() {
  return (
    <p role="status" className="m-auto animate-late text-faint">
      Loading…
    </p>
  );
}

function Unavailable({ problem }: { problem: Problem }) {
  // The server's message for this is written for API clients.
  const isGone = problem.code === "NOT_FOUND";
  return (
    <Page title="Session">
      <Empty title="Session unavailable" alert>
        <p>{isGone ? "Session not found. It may have been deleted or renamed." : problem.message}</p>
        <BackHome />
      </Empty>
    </Page>
  );
}
