import type { Interaction, Session } from "@drover/core";
import { useDrover } from "../state/drover.ts";
import { useStore } from "../state/store.ts";
import { Button } from "../ui/button.tsx";
import { PlusIcon } from "../ui/icons.tsx";
import { SessionRow } from "./session-row.tsx";

interface SidebarProps {
  readonly selected: string | undefined;
  readonly onNewSession: () => void;
}

export function Sidebar({ selected, onNewSession }: SidebarProps) {
  const { sessions, inbox } = useDrover();
  const open = useStore(inbox.state, (state) => state.open);
  const list = useStore(sessions.state, (state) => state);
  const newestFirst = list.sessions.toSorted((a, b) => b.updatedAt.localeCompare(a.updatedAt));
  const waiting = newestFirst.filter(waits);
  const others = newestFirst.filter((session) => !waits(session));
  const group = { selected, inbox: open };
  return (
    <nav aria-label="Sessions" className="flex h-full min-h-0 flex-col bg-side">
      <header className="flex h-14 shrink-0 items-center justify-between border-line border-b px-3 md:pl-4">
        <span className="font-semibold tracking-tight">Drover</span>
        <Button onClick={onNewSession} className="bg-canvas">
          <PlusIcon size={14} />
          New session
        </Button>
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto p-2">
        {waiting.length > 0 && (
          <Group title="Waiting for you" count={open.length} sessions={waiting} {...group} />
        )}
        {others.length > 0 && <Group title="Sessions" sessions={others} {...group} />}
        {list.loaded && list.sessions.length === 0 && <NoSessions />}
      </div>
    </nav>
  );
}

const waits = (session: Session) => session.state === "waiting_for_input" || session.openInteractions > 0;

interface GroupProps {
  readonly title: string;
  readonly count?: number;
  readonly sessions: readonly Session[];
  readonly inbox: readonly Interaction[];
  readonly selected: string | undefined;
}

function Group({ title, count, sessions, inbox, selected }: GroupProps) {
  return (
    <section className="mb-3">
      <h2 className="flex items-center gap-2 px-2 py-1.5 font-medium text-2xs text-muted">
        {title}
        {count !== undefined && count > 0 && (
          <span className="rounded-full bg-warn-dot/20 px-1.5 text-warn tabular-nums">{count}</span>
        )}
      </h2>
      <ul>
        {sessions.map((session) => (
          <SessionRow
            key={session.id}
            session={session}
            open={inbox.filter(({ sessionId }) => sessionId === session.id)}
            selected={selected === session.name || selected === session.id}
          />
        ))}
      </ul>
    </section>
  );
}

function NoSessions() {
  return (
    <div className="px-3 py-6 text-muted">
      <p className="font-medium text-ink">No sessions yet</p>
      <p className="mt-1">
        A session is one agent at work in one directory. Start one here, or from a terminal:
      </p>
      <pre className="mt-2 overflow-x-auto rounded-md border border-line bg-canvas px-2.5 py-2 font-mono text-xs">
        drover run demo tour
      </pre>
    </div>
  );
}
