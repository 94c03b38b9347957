import type { Interaction, Session } from "@drover/core";
import { useAgentName } from "../agents/agent-name.ts";
import { headingOf, subjectOf } from "../interaction/summary.ts";
import { Keys } from "../keyboard/keys.tsx";
import type { Beginning } from "../new-session/new-session-dialog.tsx";
import { TourButton } from "../new-session/tour-button.tsx";
import { href } from "../routing/route.ts";
import { SessionRow } from "../sidebar/session-row.tsx";
import { useDrover } from "../state/drover.ts";
import { useStore } from "../state/store.ts";
import { Button } from "../ui/button.tsx";

const latest = 6;
/** Open requests are listed above the sessions. */
const none: readonly Interaction[] = [];
/** How many requests to list; the inbox has them all. */
const waitingShown = 5;

/** Shown while no session is selected: open requests, running sessions, recent sessions. */
export function HomePage({ onNewSession }: { onNewSession: (beginning?: Beginning) => void }) {
  const { sessions } = useDrover();
  const { loaded, sessions: all } = useStore(sessions.state, (state) => state);
  if (!loaded) return null;
  if (all.length === 0) return <Welcome onNewSession={onNewSession} />;
  const working = all.filter(({ turn, openInteractions }) => turn !== undefined && openInteractions === 0);
  const resting = all.filter(({ turn }) => turn === undefined);
  const unread = resting.filter((session) => session.unread && session.openInteractions === 0);
  const recent = resting.filter((session) => !session.unread).slice(0, latest);
  return (
    <div className="column-scroller min-h-0 flex-1">
      <div className="column grid gap-7 py-10">
        <Waiting />
        <Sessions title="Unread" sessions={unread} />
        <Sessions title="Working" sessions={working} />
        <Sessions title="Recent" sessions={recent} />
        <Hints />
      </div>
    </div>
  );
}

function Waiting() {
  const { inbox } = useDrover();
  const open = useStore(inbox.state, (state) => state.open);
  if (open.length === 0) return null;
  const more = open.length - waitingShown;
  return (
    <section>
      <h2 className="mb-1.5 font-semibold">Waiting for you</h2>
      <ul className="grid gap-1">
        {open.slice(0, waitingShown).map((interaction) => (
          <WaitingRow key={interaction.id} interaction={interaction} />
        ))}
      </ul>
      {more > 0 && (
        <p className="mt-1.5">
          <a href={href("/inbox")} className="text-accent hover:underline">
            {more} more in the inbox
          </a>
        </p>
      )}
    </section>
  );
}

function WaitingRow({ interaction }: { interaction: Interaction }) {
  const { sessions } = useDrover();
  const session = useStore(sessions.state, () => sessions.find(interaction.sessionId));
  const look = interaction.kind === "question" ? "" : "font-mono text-xs";
  return (
    <li>
      <a
        href={href("/inbox")}
        className="flex items-baseline gap-2 rounded-md border border-warn-dot/55 bg-warn-dot/6 px-3 py-2 hover:border-warn-dot"
      >
        <span className="shrink-0 font-medium">
          {headingOf(interaction, useAgentName(interaction.agent))}
        </span>
        <span className={`min-w-0 truncate text-muted ${look}`}>{subjectOf(interaction)}</span>
        <span className="ml-auto max-w-48 shrink-0 truncate text-faint text-xs">
          {session?.title || interaction.sessionName}
        </span>
      </a>
    </li>
  );
}

function Sessions({ title, sessions }: { title: string; sessions: readonly Session[] }) {
  if (sessions.length === 0) return null;
  return (
    // The rows' highlight reaches beyond the column; their text keeps its edge.
    <section className="-mx-2">
      <h2 className="mb-1.5 px-2 font-semibold">{title}</h2>
      <ul>
        {sessions.map((session) => (
          <SessionRow key={session.id} session={session} open={none} selected={false} />
        ))}
      </ul>
    </section>
  );
}

const hints = [
  ["c", "new session"],
  ["Mod+k", "find anything"],
  ["g i", "inbox"],
  ["u", "next unread"],
  ["?", "all shortcuts"],
] as const;

function Hints() {
  return (
    <p className="flex flex-wrap gap-x-5 gap-y-1.5 text-faint text-xs max-md:hidden">
      {hints.map(([key, label]) => (
        <span key={key} className="flex items-center gap-1.5">
          <Keys of={key} /> {label}
        </span>
      ))}
    </p>
  );
}

const steps = [
  [
    "Give an agent a task",
    "Choose an agent and a directory. The demo agent needs no account and no network: send it “tour”.",
  ],
  [
    "It asks before it acts",
    "Commands and edits wait for your approval, in the session and in the inbox, until you give the agent more freedom.",
  ],
  [
    "Close this page whenever you like",
    "Agents keep working, even while Drover restarts, and everything they write is saved.",
  ],
] as const;

function Welcome({ onNewSession }: { onNewSession: (beginning?: Beginning) => void }) {
  return (
    <div className="m-auto w-full max-w-md px-6 py-10">
      <h1 className="font-semibold text-lg tracking-tight">No agents running yet</h1>
      <ol className="mt-4 grid gap-4">
        {steps.map(([title, text], index) => (
          <li key={title} className="flex gap-3">
            <span className="flex size-6 shrink-0 items-center justify-center rounded-full bg-raised font-medium text-muted text-xs">
              {index + 1}
            </span>
            <div>
              <h2 className="font-medium">{title}</h2>
              <p className="text-muted">{text}</p>
            </div>
          </li>
        ))}
      </ol>
      <div className="mt-6 flex items-center gap-3">
        <TourButton onNewSession={onNewSession} />
        <Button onClick={() => onNewSession()}>Start a session</Button>
      </div>
    </div>
  );
}
