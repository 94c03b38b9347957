import type { Interaction, SocketAnnouncement } from "@drover/core";
import { forgetBegun } from "../storage/begun.ts";
import type { Connection } from "../transport/connection.ts";
import { api } from "../transport/http.ts";
import { createStore } from "./store.ts";

export interface InboxState {
  /** False until the first list has come: an empty inbox then means something. */
  readonly loaded: boolean;
  /** What waits for a person, over all sessions, oldest first. */
  readonly open: readonly Interaction[];
  /** What was settled while this tab looked, newest first: somebody else may have been faster. */
  readonly settled: readonly Interaction[];
}

const keptSettled = 50;

/** Everything that waits for a person: listed whenever the connection opens, kept true by what the server announces. */
export class Inbox {
  readonly state = createStore<InboxState>({ loaded: false, open: [], settled: [] });
  /** What was settled while a list is on its way: the list may have been read before it. */
  private meanwhile: (() => void)[] | undefined;
  private readonly openListeners = new Set<(interaction: Interaction) => void>();

  constructor(connection: Connection) {
    connection.onOpen(() => void this.refresh());
    connection.onAnnouncement((announcement) => this.hear(announcement));
  }

  /** Called with each interaction that begins to wait while the page is open. */
  onOpened(listener: (interaction: Interaction) => void): () => void {
    this.openListeners.add(listener);
    return () => this.openListeners.delete(listener);
  }

  private async refresh(): Promise<void> {
    const meanwhile: (() => void)[] = [];
    this.meanwhile = meanwhile;
    const answer = await api<{ interactions: Interaction[] }>("GET", "/api/interactions");
    if (this.meanwhile === meanwhile) this.meanwhile = undefined;
    if (!answer.ok) return;
    const listed = answer.value.interactions;
    const { loaded, open, settled } = this.state.get();
    // The list may have been read before or after what was announced since: both count, except what is settled.
    const unsettled = [...listed, ...open.filter(({ id }) => !listed.some((one) => one.id === id))].filter(
      ({ id }) => !settled.some((one) => one.id === id),
    );
    this.state.set({ loaded: true, open: oldestFirst(unsettled), settled });
    for (const again of meanwhile) again();
    const isNew = ({ id }: Interaction) => loaded && !open.some((one) => one.id === id);
    const news = this.state.get().open.filter(isNew);
    for (const interaction of news) this.tell(interaction);
    for (const { id, sessionId } of open) {
      if (!listed.some((one) => one.id === id)) void this.learnWhatBecameOf(id, sessionId);
    }
  }

  /** It was open before the connection was lost and is not listed now: settled meanwhile, or gone with its session. */
  private async learnWhatBecameOf(id: string, sessionId: string): Promise<void> {
    const path = `/api/interactions?state=all&sessionId=${sessionId}`;
    const answer = await api<{ interactions: Interaction[] }>("GET", path);
    if (!answer.ok) return;
    const found = answer.value.interactions.find((one) => one.id === id);
    if (found?.state === "open") return;
    this.settle(id, found ?? { state: "resolved", resolution: "cancelled" });
  }

  private hear(announcement: SocketAnnouncement): void {
    if (announcement.type === "interaction_opened") this.add(announcement.interaction);
    if (announcement.type === "interaction_resolved") {
      const { interactionId, resolution, by, at, reason, scope, cause } = announcement;
      this.do(() =>
        this.settle(interactionId, { state: "resolved", resolution, by, at, reason, scope, cause }),
      );
    }
    if (announcement.type === "session_removed") this.do(() => this.forget(announcement.sessionId));
  }

  /** Now, and again when a list comes that may not know of it yet. */
  private do(change: () => void): void {
    this.meanwhile?.push(change);
    change();
  }

  private add(interaction: Interaction): void {
    const { open, ...rest } = this.state.get();
    const others = open.filter(({ id }) => id !== interaction.id);
    this.state.set({ ...rest, open: oldestFirst([...others, interaction]) });
    if (others.length === open.length) this.tell(interaction);
  }

  private tell(interaction: Interaction): void {
    for (const listener of [...this.openListeners]) listener(interaction);
  }

  private settle(id: string, news: Partial<Interaction>): void {
    const { open, settled, ...rest } = this.state.get();
    forgetBegun(id);
    const interaction = open.find((one) => one.id === id);
    if (!interaction) return;
    this.state.set({
      ...rest,
      open: open.filter((one) => one !== interaction),
      settled: [{ ...interaction, ...news }, ...settled].slice(0, keptSettled),
    });
  }

  private forget(sessionId: string): void {
    const { open, ...rest } = this.state.get();
    this.state.set({ ...rest, open: open.filter((one) => one.sessionId !== sessionId) });
  }
}

function oldestFirst(interactions: readonly Interaction[]): readonly Interaction[] {
  return interactions.toSorted((a, b) => a.createdAt.localeCompare(b.createdAt));
}
