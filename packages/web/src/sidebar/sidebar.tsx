import { useEffect, useMemo, useState } from "react";
import { needingPerson } from "../board/columns.ts";
import { workerHref } from "../board/worker-href.ts";
import { Keys } from "../keyboard/keys.tsx";
import { useShortcuts } from "../keyboard/use-shortcuts.ts";
import type { Beginning } from "../new-session/new-session-dialog.tsx";
import { TourButton } from "../new-session/tour-button.tsx";
import type { Route } from "../routing/read-route.ts";
import { href, navigate } from "../routing/route.ts";
import { sessionHref } from "../session/session-href.ts";
import { useDrover } from "../state/drover.ts";
import { useStore, useStorePerFrame } from "../state/store.ts";
import { useResource } from "../state/use-resource.ts";
import { Button, TextButton } from "../ui/button.tsx";
import { PlusIcon, SearchIcon } from "../ui/icons.tsx";
import { Logo } from "../ui/logo.tsx";
import { useNarrow } from "../ui/use-narrow.ts";
import { FilterBar } from "./filter-bar.tsx";
import { attention, byProject, type Filter, type Group, matches, noFilter } from "./groups.ts";
import { FooterLinks, TopLinks } from "./nav-links.tsx";
import { OlderSessions } from "./older-sessions.tsx";
import { SessionGroups } from "./session-groups.tsx";

interface SidebarProps {
  readonly route: Route;
  readonly onNewSession: (beginning?: Beginning) => void;
  readonly onOpenPalette: () => void;
  readonly onShowKeys: () => void;
}

export function Sidebar({ route, onNewSession, onOpenPalette, onShowKeys }: SidebarProps) {
  const { sessions, inbox, agents: known } = useDrover();
  // Names for everything on the page that mentions an agent.
  useResource(known);
  const list = useStorePerFrame(sessions.state);
  const open = useStore(inbox.state, (state) => state.open);
  const [filter, setFilter] = useState(noFilter);
  const selected = route.params["session"];
  const which = filter.archived ? "archived" : "sessions";
  const all = list[which];
  const groups = useMemo(
    () =>
      byProject(
        (all ?? []).filter((session) => matches(session, filter)),
        list.projects,
      ),
    [all, filter, list.projects],
  );
  const agents = [...new Set(list.sessions.map(({ agent }) => agent))].sort();
  useEffect(() => {
    if (filter.archived) void sessions.loadArchived();
  }, [filter.archived, sessions]);

  const step = (by: 1 | -1) => {
    const names = groups.flatMap((group) => group.sessions);
    const at = names.findIndex(({ id, name }) => selected === name || selected === id);
    const next = at < 0 ? names[0] : names[at + by];
    if (next) navigate(sessionHref(next.name));
  };
  const toAttention = () => {
    const waiting = attention(list.sessions);
    const at = waiting.findIndex(({ id, name }) => selected === name || selected === id);
    const next = waiting[(at + 1) % waiting.length];
    if (next) navigate(sessionHref(next.name));
  };
  const toWorker = () => {
    const waiting = needingPerson(list.sessions);
    const at = waiting.findIndex(({ id, name }) => selected === name || selected === id);
    const next = waiting[(at + 1) % waiting.length];
    if (next) navigate(workerHref(next));
  };
  useShortcuts({
    next: () => step(1),
    previous: () => step(-1),
    attention: toAttention,
    worker: toWorker,
  });

  return (
    <nav aria-label="Sessions" className="flex h-full min-h-0 flex-col bg-side">
      <header className="flex h-14 shrink-0 items-center gap-2 px-3 md:pl-4">
        <a
          href={href("/")}
          className="mr-auto flex items-center gap-2 font-semibold tracking-tight max-md:min-h-10"
        >
          <Logo />
          Drover
        </a>
        <Button onClick={() => onNewSession()} className="bg-canvas max-md:hidden">
          <PlusIcon size={14} />
          New session
        </Button>
      </header>
      <button
        type="button"
        onClick={onOpenPalette}
        className="mx-2 mb-2 flex h-8 shrink-0 items-center gap-2 rounded-md border border-line bg-canvas px-2.5 text-left text-muted hover:border-line-strong"
      >
        <SearchIcon size={14} />
        <span className="mr-auto">Search or jump to…</span>
        <span aria-hidden="true" className="max-md:hidden">
          <Keys of="Mod+k" />
        </span>
      </button>
      <TopLinks current={route.page} />
      {list.sessions.length > 0 && <FilterBar filter={filter} agents={agents} onChange={setFilter} />}
      <div className="min-h-0 flex-1 overflow-y-auto px-2 pb-2">
        <SessionGroups groups={groups} inbox={open} selected={selected} />
        {list.loaded && list.sessions.length === 0 && !filter.archived && (
          <NoSessions onNewSession={onNewSession} />
        )}
        {all && list.sessions.length > 0 && groups.length === 0 && (
          <NoneFound filter={filter} onClear={() => setFilter(noFilter)} />
        )}
        <OlderSessions key={which} which={which} searched={all?.length !== countOf(groups)} />
      </div>
      <FooterLinks current={route.page} onShowKeys={onShowKeys} />
    </nav>
  );
}

const countOf = (groups: readonly Group[]) => groups.reduce((sum, { sessions }) => sum + sessions.length, 0);

function NoneFound({ filter, onClear }: { filter: Filter; onClear: () => void }) {
  const what = filter.archived ? "archived sessions" : "sessions";
  return (
    <div className="px-2 py-4 text-muted">
      <p>{filter === noFilter ? `No ${what}` : `No matching ${what}`}</p>
      <TextButton className="mt-1" onClick={onClear}>
        Show all sessions
      </TextButton>
    </div>
  );
}

function NoSessions({ onNewSession }: { onNewSession: (beginning: Beginning) => void }) {
  const isNarrow = useNarrow();
  return (
    <div className="px-2 py-4 text-muted">
      <p className="font-medium text-ink">No sessions yet</p>
      <p className="mt-1">
        A session is one agent working in one directory. Start one here, or from a terminal:
      </p>
      <pre className="mt-2 overflow-x-auto rounded-md border border-line bg-canvas px-2.5 py-2 font-mono text-xs">
        drover run demo tour
      </pre>
      {/* On a desktop, the home page has this button. */}
      {isNarrow && (
        <p className="mt-4">
          <TourButton onNewSession={onNewSession} />
        </p>
      )}
    </div>
  );
}
