import type { Connection as AgentConnection, Project, Session, SocketAnnouncement } from "@drover/core";
import type { Connection } from "../transport/connection.ts";
import { createStore } from "./store.ts";

export interface SessionListState {
  /** False until the first list has come: an empty list then means something. */
  readonly loaded: boolean;
  /** Not archived, newest activity first. */
  readonly sessions: readonly Session[];
  /** Put away; not there until somebody asks for them. */
  readonly archived?: readonly Session[];
  readonly projects: readonly Project[];
  /** Where those begin that are older than the listed ones. */
  readonly older: Readonly<Record<ListName, string | undefined>>;
}

type ListName = "sessions" | "archived";

interface Page {
  readonly sessions: readonly Session[];
  readonly before?: string;
}

/** More than most people have. */
const pageSize = 500;

/** All sessions and their projects: listed whenever the connection opens, kept true by what the server announces. */
export class SessionList {
  readonly state = createStore<SessionListState>({
    loaded: false,
    sessions: [],
    projects: [],
    older: { sessions: undefined, archived: undefined },
  });
  private readonly connection: Connection;
  /** What was announced while a list is on its way, to be done again: the list may have been read before it. */
  private meanwhile: (() => void)[] | undefined;

  constructor(connection: Connection) {
    this.connection = connection;
    connection.onOpen(() => void this.refresh());
    connection.onAnnouncement((announcement) => this.hear(announcement));
  }

  find(idOrName: string): Session | undefined {
    const { sessions, archived = [] } = this.state.get();
    const matches = ({ id, name }: Session) => id === idOrName || name === idOrName;
    return sessions.find(matches) ?? archived.find(matches);
  }

  /** Takes in a record, unless a newer one is known. */
  put(session: Session): void {
    this.meanwhile?.push(() => this.put(session));
    const known = this.find(session.id);
    if (known && isOlder(session, known)) return;
    const { sessions, archived, ...rest } = this.state.get();
    const others = sessions.filter(({ id }) => id !== session.id);
    const othersArchived = archived?.filter(({ id }) => id !== session.id);
    this.state.set({
      ...rest,
      sessions: session.archived ? others : newestFirst([session, ...others]),
      ...(othersArchived
        ? { archived: session.archived ? newestFirst([session, ...othersArchived]) : othersArchived }
        : {}),
    });
    const { projectId } = session;
    if (projectId && !rest.projects.some(({ id }) => id === projectId)) void this.loadProjects();
  }

  /** Takes in what a request was answered with. It comes another way than announcements, which may have overtaken it. */
  learn(session: Session): void {
    const known = this.find(session.id);
    if (!known || isOlder(known, session)) this.put(session);
  }

  remove(sessionId: string): void {
    this.meanwhile?.push(() => this.remove(sessionId));
    const { sessions, archived, ...rest } = this.state.get();
    const without = (list: readonly Session[]) => list.filter(({ id }) => id !== sessionId);
    this.state.set({
      ...rest,
      sessions: without(sessions),
      ...(archived ? { archived: without(archived) } : {}),
    });
  }

  async loadArchived(): Promise<void> {
    await this.list("archived");
  }

  async loadOlder(name: ListName): Promise<void> {
    const page = await this.page(name, this.state.get().older[name]);
    if (!page) return;
    const known = this.state.get()[name] ?? [];
    const others = page.sessions.filter(({ id }) => !this.find(id));
    this.take(name, [...known, ...others], page.before);
  }

  async loadProjects(): Promise<void> {
    const list = await this.connection.request<{ projects: Project[] }>("project:list");
    if (list.ok) this.state.set({ ...this.state.get(), projects: list.value.projects });
  }

  private async refresh(): Promise<void> {
    const meanwhile: (() => void)[] = [];
    this.meanwhile = meanwhile;
    void this.loadProjects();
    if (this.state.get().archived) void this.loadArchived();
    const isListed = await this.list("sessions");
    if (this.meanwhile === meanwhile) this.meanwhile = undefined;
    if (!isListed) return;
    this.state.set({ ...this.state.get(), loaded: true });
    for (const again of meanwhile) again();
  }

  /** Anew, as far back as somebody has looked. False when the server did not answer. */
  private async list(name: ListName): Promise<boolean> {
    const looked = this.state.get()[name]?.length ?? 0;
    let listed: readonly Session[] = [];
    let before: string | undefined;
    do {
      const page = await this.page(name, before);
      if (!page) return false;
      listed = [...listed, ...page.sessions];
      before = page.before;
    } while (before !== undefined && listed.length < looked);
    this.take(name, listed, before);
    return true;
  }

  private async page(name: ListName, before: string | undefined): Promise<Page | undefined> {
    const query = { archived: name === "archived", limit: pageSize, ...(before ? { before } : {}) };
    const answer = await this.connection.request<Page>("session:list", query);
    return answer.ok ? answer.value : undefined;
  }

  private take(name: ListName, sessions: readonly Session[], before: string | undefined): void {
    const state = this.state.get();
    const older = { ...state.older, [name]: before };
    this.state.set({ ...state, [name]: newestFirst(sessions), older });
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

function isOlder(a: Session, b: Session): boolean {
  return a.lastSeq === b.lastSeq ? a.updatedAt < b.updatedAt : a.lastSeq < b.lastSeq;
}

function newestFirst(sessions: readonly Session[]): readonly Session[] {
  return sessions.toSorted((a, b) => b.updatedAt.localeCompare(a.updatedAt));
}
