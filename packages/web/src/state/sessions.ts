import type { Connection as AgentConnection, Session } from "@drover/core";
import type { Connection } from "./connection.ts";
import { createStore } from "./store.ts";
import type { Announcement, Project } from "./wire.ts";

export interface SessionListState {
  /** False until the first list has come: an empty list then means something. */
  readonly loaded: boolean;
  /** Not archived, newest activity first. */
  readonly sessions: readonly Session[];
  /** Put away; not there until somebody asks for them. */
  readonly archived?: readonly Session[];
  readonly projects: readonly Project[];
}

/** More than anybody scrolls through; older ones are found by their address. */
const listed = 500;

/** All sessions and their projects: listed whenever the connection opens, kept true by what the server announces. */
export class SessionList {
  readonly state = createStore<SessionListState>({ loaded: false, sessions: [], projects: [] });
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
    const list = await this.connection.request<{ sessions: Session[] }>("session:list", {
      archived: true,
      limit: listed,
    });
    if (list.ok) this.state.set({ ...this.state.get(), archived: list.value.sessions });
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
    const list = await this.connection.request<{ sessions: Session[] }>("session:list", { limit: listed });
    if (this.meanwhile === meanwhile) this.meanwhile = undefined;
    if (!list.ok) return;
    this.state.set({ ...this.state.get(), loaded: true, sessions: newestFirst(list.value.sessions) });
    for (const again of meanwhile) again();
  }

  private hear(announcement: Announcement): void {
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
