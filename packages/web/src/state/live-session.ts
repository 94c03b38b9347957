import type { Interaction, Item, SessionEvent } from "@drover/core";
import type { Connection } from "./connection.ts";
import { api } from "./http.ts";
import { createStore } from "./store.ts";
import { fold, openView, prepend, type SessionView } from "./view.ts";
import type { Announcement, History, Problem } from "./wire.ts";

export type LiveState =
  | { readonly phase: "loading" }
  | { readonly phase: "failed"; readonly problem: Problem }
  | { readonly phase: "ready"; readonly view: SessionView };

/** Background tabs get no animation frames, yet their title has to tell that someone is waited for. */
const latestFlushMs = 250;

/**
 * The session the page shows, kept true: opened with its history, followed event by event, and after a lost
 * connection continued from the last number it has. Events are folded once per animation frame.
 */
export class LiveSession {
  readonly state = createStore<LiveState>({ phase: "loading" });
  private buffer: SessionEvent[] = [];
  private cancelFlush: (() => void) | undefined;
  private readonly undo: (() => void)[];
  private readonly connection: Connection;
  private readonly sessionId: string;
  private readonly onNews: (events: readonly SessionEvent[]) => void;

  constructor(connection: Connection, sessionId: string, onNews: (events: readonly SessionEvent[]) => void) {
    this.connection = connection;
    this.sessionId = sessionId;
    this.onNews = onNews;
    this.undo = [
      connection.onAnnouncement((announcement) => this.hear(announcement)),
      connection.onOpen(() => void this.synchronise()),
    ];
  }

  close(): void {
    for (const undo of this.undo) undo();
    this.cancelFlush?.();
    void this.connection.request("session:close", { sessionId: this.sessionId });
  }

  async loadEarlier(): Promise<void> {
    const live = this.state.get();
    if (live.phase !== "ready") return;
    const { before } = live.view;
    const path = `/api/sessions/${this.sessionId}/messages?limit=100&before=${before}`;
    const page = await api<{ items: Item[]; before?: number }>("GET", path);
    if (page.ok) this.update((view) => prepend(view, page.value.items, page.value.before));
  }

  private async synchronise(): Promise<void> {
    this.flush();
    const live = this.state.get();
    const after = live.phase === "ready" ? live.view.state.lastSeq : undefined;
    const { sessionId } = this;
    const opened = await this.connection.request<History>("session:open", {
      sessionId,
      view: "events",
      ...(after === undefined ? {} : { after }),
    });
    if (!opened.ok) return this.fail(opened.error);
    if (after !== undefined && !opened.value.reset) return;
    this.buffer = [];
    this.state.set({ phase: "ready", view: openView(opened.value) });
    await this.loadSettled();
  }

  /** Without a connection there is nothing to report: the history is asked for again when it is back. */
  private fail(problem: Problem): void {
    if (problem.code !== "OFFLINE") this.state.set({ phase: "failed", problem });
  }

  /** What was decided before the page was opened; the history has open interactions only. */
  private async loadSettled(): Promise<void> {
    const path = `/api/interactions?state=resolved&sessionId=${this.sessionId}`;
    const answer = await api<{ interactions: Interaction[] }>("GET", path);
    if (!answer.ok) return;
    const { interactions } = answer.value;
    this.update((view) => {
      const news = view.settled.filter((live) => !interactions.some((known) => known.id === live.id));
      return { ...view, settled: [...interactions, ...news] };
    });
  }

  private hear(announcement: Announcement): void {
    if (announcement.type !== "session:event" || announcement.sessionId !== this.sessionId) return;
    this.buffer.push(announcement.event);
    if (this.cancelFlush) return;
    const frame = requestAnimationFrame(() => this.flush());
    const timer = setTimeout(() => this.flush(), latestFlushMs);
    this.cancelFlush = () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }

  private flush(): void {
    this.cancelFlush?.();
    this.cancelFlush = undefined;
    const live = this.state.get();
    if (live.phase !== "ready" || this.buffer.length === 0) return;
    let last = live.view.state.lastSeq;
    const events = this.buffer.filter(({ seq }) => seq > last);
    this.buffer = [];
    for (const { from, seq } of events) {
      if (from !== last + 1) {
        console.error(`Events ${last + 1} to ${from - 1} of ${this.sessionId} never came; opening it again.`);
        this.state.set({ phase: "loading" });
        void this.synchronise();
        return;
      }
      last = seq;
    }
    this.state.set({ phase: "ready", view: fold(live.view, events) });
    this.onNews(events);
  }

  private update(change: (view: SessionView) => SessionView): void {
    const live = this.state.get();
    if (live.phase === "ready") this.state.set({ phase: "ready", view: change(live.view) });
  }
}
