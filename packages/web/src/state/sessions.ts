import type { Connection as AgentConnection, Project, Session, SocketAnnouncement } from "@drover/core";
import type { Connection } from "../transport/connection.ts";
import { LiveCollection } from "./live-collection.ts";
import { isReadyForReview } from "./ready.ts";
import { createStore } from "./store.ts";

export interface SessionListState {
  /** True once the first list has arrived. Until then, an empty list means nothing. */
  readonly loaded: boolean;
  /** Not archived, newest activity first. */
  readonly sessions: readonly Session[];
  /** Undefined until requested. */
  readonly archived?: readonly Session[];
  readonly projects: readonly Project[];
  /** Whether the server has older sessions. */
  readonly hasOlder: Readonly<Record<ListName, boolean>>;
}

type ListName = "sessions" | "archived";

interface Page {
  readonly sessions: readonly Session[];
  readonly before?: string;
}

/** Larger than most people's lists. */
const pageSize = 500;

/** All sessions and their projects. */
export class SessionList {
  readonly state = createStore<SessionListState>({
    loaded: false,
    sessions: [],
    projects: [],
    hasOlder: { sessions: false, archived: false },
  });
  private readonly connection: Connection;
  private readonly lists: Readonly<Record<ListName, LiveCollection<Session>>>;
  private wantsArchived = false;
  private readonly unreadListeners = new Set<(session: Session) => void>();
  private readonly readyListeners = new Set<(session: Session) => void>();

  constructor(connection: Connection) {
    this.connection = connection;
    this.lists = { sessions: this.collect("sessions"), archived: this.collect("archived") };
    for (const list of Object.values(this.lists)) list.state.subscribe(() => this.publish());
    connection.onOpen(() => void this.loadProjects());
    connection.onAnnouncement((announcement) => this.hear(announcement));
  }

  find(idOrName: string): Session | undefined {
    const matches = ({ id, name }: Session) => id === idOrName || name === idOrName;
    const { sessions, archived } = this.lists;
    return sessions.state.get().items.find(matches) ?? archived.state.get().items.find(matches);
  }

  /** Applies an announcement, unless a newer record is known. */
  put(session: Session): void {
    this.takeIn(session, (list) => list.put(session));
  }

  /** Applies the answer to a request. */
  learn(session: Session): void {
    this.takeIn(session, (list) => list.learn(session));
  }

  remove(sessionId: string): void {
    for (const list of Object.values(this.lists)) list.remove(sessionId);
  }

  /** Called with each session that comes to rest unread while the page is open. */
  onUnread(listener: (session: Session) => void): void {
    this.unreadListeners.add(listener);
  }

  /** Called with each session whose work becomes ready for review while the page is open. */
  onReady(listener: (session: Session) => void): void {
    this.readyListeners.add(listener);
  }

  async loadArchived(): Promise<void> {
    this.wantsArchived = true;
    await this.lists.archived.refresh();
  }

  async loadOlder(name: ListName): Promise<void> {
    await this.lists[name].loadMore();
  }

  async loadProjects(): Promise<void> {
    const list = await this.connection.request<{ projects: Project[] }>("project:list");
    if (list.ok) this.state.set({ ...this.state.get(), projects: list.value.projects });
  }

  private collect(name: ListName): LiveCollection<Session> {
    const isArchived = name === "archived";
    return new LiveCollection<Session>({
      idOf: ({ id }) => id,
      compare: (a, b) => b.updatedAt.localeCompare(a.updatedAt),
      isOlder,
      belongs: ({ archived }) => archived === isArchived,
      fetchPage: async (before) => {
        const query = { archived: isArchived, limit: pageSize, ...(before ? { before } : {}) };
        const answer = await this.connection.request<Page>("session:list", query);
        return answer.ok ? { items: answer.value.sessions, more: answer.value.before } : undefined;
      },
      onOpen: (refresh) =>
        this.connection.onOpen(() => {
          if (!isArchived || this.wantsArchived) refresh();
        }),
    });
  }

  private publish(): void {
    const before = this.state.get().sessions;
    const [sessions, archived] = [this.lists.sessions.state.get(), this.lists.archived.state.get()];
    this.state.set({
      loaded: sessions.loaded,
      sessions: sessions.items,
      ...(archived.loaded ? { archived: archived.items } : {}),
      projects: this.state.get().projects,
      hasOlder: { sessions: sessions.more !== undefined, archived: archived.more !== undefined },
    });
    this.reportUnread(before, sessions.items);
    this.reportReady(before, sessions.items);
  }

  private reportUnread(before: readonly Session[], now: readonly Session[]): void {
    if (before === now) return;
    const lastTurns = new Map(before.map(({ id, lastTurn }) => [id, lastTurn?.id]));
    for (const session of now) {
      // A session that was not listed before is an older one.
      if (!restsUnread(session) || !lastTurns.has(session.id)) continue;
      if (lastTurns.get(session.id) === session.lastTurn?.id) continue;
      for (const listener of this.unreadListeners) listener(session);
    }
  }

  private reportReady(before: readonly Session[], now: readonly Session[]): void {
    if (before === now || !now.some(isReadyForReview)) return;
    const known = new Map(before.map((session) => [session.id, isReadyForReview(session)]));
    for (const session of now) {
      if (!isReadyForReview(session) || known.get(session.id) !== false) continue;
      for (const listener of this.readyListeners) listener(session);
    }
  }

  /** Adds to one list before removing from the other, so that the session is always in one of them. */
  private takeIn(session: Session, into: (list: LiveCollection<Session>) => void): void {
    const known = this.find(session.id);
    if (known && isOlder(session, known)) return;
    const { sessions, archived } = this.lists;
    const inOrder = session.archived ? [archived, sessions] : [sessions, archived];
    for (const list of inOrder) if (list === sessions || this.wantsArchived) into(list);
    const { projectId } = session;
    if (projectId && !this.state.get().projects.some(({ id }) => id === projectId)) void this.loadProjects();
  }

  private hear(announcement: SocketAnnouncement): void {
    switch (announcement.type) {
      case "session_upserted":
        this.put(announcement.session);
        break;
      case "session_removed":
        this.remove(announcement.sessionId);
        break;
      case "session:archived":
        this.archive(announcement.sessionId);
        break;
      case "agent:status":
        this.setConnection(announcement);
        break;
    }
  }

  private archive(sessionId: string): void {
    const session = this.find(sessionId);
    if (session) this.put({ ...session, archived: true });
  }

  private setConnection({ sessionId, ...news }: { sessionId: string } & AgentConnection): void {
    const session = this.find(sessionId);
    if (!session) return;
    const { status, attempt, gaveUp, nextTryAt } = news;
    const connection: AgentConnection = {
      ...session.connection,
      status,
      attempt: attempt ?? 0,
      gaveUp: gaveUp ?? false,
      nextTryAt,
    };
    this.put({ ...session, connection });
  }
}

/** A turn has ended unseen, and nothing follows automatically. Questions that ended it are reported as requests. */
const restsUnread = ({ unread, lastTurn, queued, queuePaused }: Session): boolean =>
  unread === true &&
  lastTurn !== undefined &&
  lastTurn.reason !== "waiting_for_input" &&
  (queued === 0 || queuePaused);

function isOlder(a: Session, b: Session): boolean {
  return a.lastSeq === b.lastSeq ? a.updatedAt < b.updatedAt : a.lastSeq < b.lastSeq;
}
