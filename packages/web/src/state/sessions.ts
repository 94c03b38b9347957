import type { Connection as AgentConnection, Interaction, Session } from "@drover/core";
import type { Connection } from "./connection.ts";
import { api } from "./http.ts";
import { createStore } from "./store.ts";
import type { Announcement } from "./wire.ts";

export interface SessionListState {
  /** False until the first list has come: an empty list then means something. */
  readonly loaded: boolean;
  /** Not archived, newest activity first. */
  readonly sessions: readonly Session[];
  /** Open ones over all sessions, oldest first. */
  readonly inbox: readonly Interaction[];
}

const soonMs = 120;
/** Turns are announced, interactions of other sessions are not: look more often while some agent may ask. */
const busyPollMs = 4_000;
const quietPollMs = 15_000;

/** All sessions and everything that waits for a person, kept near the truth. */
export class SessionList {
  readonly state = createStore<SessionListState>({ loaded: false, sessions: [], inbox: [] });
  private readonly connection: Connection;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(connection: Connection) {
    this.connection = connection;
    connection.onOpen(() => void this.refresh());
    connection.onAnnouncement((announcement) => this.hear(announcement));
  }

  find(idOrName: string): Session | undefined {
    return this.state.get().sessions.find(({ id, name }) => id === idOrName || name === idOrName);
  }

  /** A burst of news leads to one look. */
  refreshSoon(): void {
    this.lookAfter(soonMs);
  }

  /** A record that came as the answer to a command. */
  put(session: Session): void {
    const { sessions, ...rest } = this.state.get();
    const known = sessions.some(({ id }) => id === session.id);
    const kept = known ? sessions.map((s) => (s.id === session.id ? session : s)) : [session, ...sessions];
    this.state.set({ ...rest, sessions: kept.filter(({ archived }) => !archived) });
  }

  remove(sessionId: string): void {
    const { sessions, ...rest } = this.state.get();
    this.state.set({ ...rest, sessions: sessions.filter(({ id }) => id !== sessionId) });
  }

  private async refresh(): Promise<void> {
    clearTimeout(this.timer);
    const [list, inbox] = await Promise.all([
      this.connection.request<{ sessions: Session[] }>("session:list"),
      api<{ interactions: Interaction[] }>("GET", "/api/interactions"),
    ]);
    const now = this.state.get();
    this.state.set({
      loaded: now.loaded || list.ok,
      sessions: list.ok ? list.value.sessions.filter(({ archived }) => !archived) : now.sessions,
      inbox: inbox.ok ? inbox.value.interactions : now.inbox,
    });
    const busy = this.state.get().sessions.some(({ turn }) => turn !== undefined);
    this.lookAfter(busy ? busyPollMs : quietPollMs);
  }

  private lookAfter(ms: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.refresh(), ms);
  }

  private hear(announcement: Announcement): void {
    switch (announcement.type) {
      case "session:turn":
        this.refreshSoon();
        break;
      case "session:archived":
        this.remove(announcement.sessionId);
        break;
      case "agent:status":
        this.setConnection(announcement);
        break;
    }
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
