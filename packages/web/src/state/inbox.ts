import type { Interaction, SocketAnnouncement } from "@drover/core";
import { forgetAnswerDraft } from "../storage/answer-drafts.ts";
import type { Connection } from "../transport/connection.ts";
import { api } from "../transport/http.ts";
import { LiveCollection } from "./live-collection.ts";
import { createStore } from "./store.ts";

export interface InboxState {
  /** True once the first list has arrived. Until then, an empty inbox means nothing. */
  readonly loaded: boolean;
  /** Open interactions of all sessions, oldest first. */
  readonly open: readonly Interaction[];
  /** Interactions that were settled while this tab was open, newest first. Someone else may have settled them. */
  readonly settled: readonly Interaction[];
}

const keptSettled = 50;

async function fetchInteractions(query = "") {
  const answer = await api<{ interactions: Interaction[] }>("GET", `/api/interactions${query}`);
  return answer.ok ? { items: answer.value.interactions } : undefined;
}

/** All interactions that need a person. */
export class Inbox {
  readonly state = createStore<InboxState>({ loaded: false, open: [], settled: [] });
  /** Requests that expired unanswered, until a person has the agent ask again or dismisses them. */
  readonly expired: LiveCollection<Interaction>;
  private readonly open: LiveCollection<Interaction>;

  constructor(connection: Connection) {
    this.expired = new LiveCollection<Interaction>({
      idOf: ({ id }) => id,
      compare: (a, b) => a.createdAt.localeCompare(b.createdAt),
      fetchPage: () => fetchInteractions("?state=expired"),
      onOpen: (refresh) => connection.onOpen(refresh),
    });
    this.open = new LiveCollection<Interaction>({
      idOf: ({ id }) => id,
      compare: (a, b) => a.createdAt.localeCompare(b.createdAt),
      belongs: ({ id }) => !this.state.get().settled.some((one) => one.id === id),
      fetchPage: () => fetchInteractions(),
      onOpen: (refresh) => connection.onOpen(refresh),
      onUnlisted: (gone) => {
        for (const { id, sessionId } of gone) void this.findOutcome(id, sessionId);
      },
    });
    this.open.state.subscribe(() => {
      const { loaded, items } = this.open.state.get();
      this.state.set({ ...this.state.get(), loaded, open: items });
    });
    connection.onAnnouncement((announcement) => this.hear(announcement));
  }

  /** Called with each interaction that opens while the page is open. */
  onOpened(listener: (interaction: Interaction) => void): () => void {
    return this.open.onAdded(listener);
  }

  /** Looks up an interaction that is no longer listed after a lost connection: it was settled, or its session is gone. */
  private async findOutcome(id: string, sessionId: string): Promise<void> {
    const listed = await fetchInteractions(`?state=all&sessionId=${sessionId}`);
    if (!listed) return;
    const found = listed.items.find((one) => one.id === id);
    if (found?.state === "open") return;
    this.settle(id, found ?? { state: "resolved", resolution: "cancelled" });
  }

  private hear(announcement: SocketAnnouncement): void {
    if (announcement.type === "interaction_opened") this.open.put(announcement.interaction);
    if (announcement.type === "interaction_resolved") {
      const { interactionId, resolution, by, at, reason, scope, cause } = announcement;
      const sessionId = this.open.find(interactionId)?.sessionId;
      this.settle(interactionId, { state: "resolved", resolution, by, at, reason, scope, cause });
      if (sessionId && resolution === "answered") void this.learnAnswers(interactionId, sessionId);
      if (resolution === "expired") void this.expired.refresh();
    }
    if (announcement.type === "interaction_followed_up") this.expired.remove(announcement.interactionId);
    if (announcement.type === "session_removed") {
      const isGone = ({ sessionId }: Interaction) => sessionId === announcement.sessionId;
      this.open.removeWhere(isGone);
      this.expired.removeWhere(isGone);
    }
  }

  /** Announcements leave out answers, which may be long. */
  private async learnAnswers(id: string, sessionId: string): Promise<void> {
    const listed = await fetchInteractions(`?state=resolved&sessionId=${sessionId}`);
    const answers = listed?.items.find((one) => one.id === id)?.answers;
    if (!answers) return;
    const state = this.state.get();
    const settled = state.settled.map((one) => (one.id === id ? { ...one, answers } : one));
    this.state.set({ ...state, settled });
  }

  private settle(id: string, outcome: Partial<Interaction>): void {
    forgetAnswerDraft(id);
    const interaction = this.open.find(id);
    const state = this.state.get();
    if (interaction) {
      const settled = [{ ...interaction, ...outcome }, ...state.settled].slice(0, keptSettled);
      this.state.set({ ...state, open: state.open.filter((one) => one !== interaction), settled });
    }
    this.open.remove(id);
  }
}
