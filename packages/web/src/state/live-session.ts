import type { History, Interaction, Item, SessionEvent, SocketAnnouncement } from "@drover/core";
import type { Connection } from "../transport/connection.ts";
import { api } from "../transport/http.ts";
import type { Problem } from "../transport/wire.ts";
import { createStore } from "./store.ts";
import { fold, openView, type SessionView } from "./view.ts";
import { append, type Page, pageItems, prepend, replace, trim } from "./window.ts";

export type LiveState =
  | { readonly phase: "loading" }
  | { readonly phase: "failed"; readonly problem: Problem }
  | { readonly phase: "ready"; readonly view: SessionView };

/** Background tabs get no animation frames, but their title must still show that an agent is waiting. */
const latestFlushMs = 250;
/** These are not rendered, so larger pages make a search through a long log faster. */
const peekItems = 200;

/**
 * The session on the page. It loads the history, follows every event, and continues from its last seq after a lost
 * connection. Events are folded once per animation frame. It holds a window of the transcript that moves with the
 * reader.
 */
export class LiveSession {
  readonly state = createStore<LiveState>({ phase: "loading" });
  private buffer: SessionEvent[] = [];
  private cancelFlush: (() => void) | undefined;
  /** The reader sees the newest items and wants to keep seeing them. */
  private following = true;
  /** The page that is loading, and the items that changed meanwhile. */
  private fetching: { readonly missed: Map<string, Item>; readonly done: Promise<boolean> } | undefined;
  private readonly undo: (() => void)[];
  private readonly connection: Connection;
  private readonly sessionId: string;

  constructor(connection: Connection, sessionId: string) {
    this.connection = connection;
    this.sessionId = sessionId;
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

  /** Whether the reader is at the end, where the window then grows. */
  follow(following: boolean): void {
    this.following = following;
  }

  /** Loads a page of older items. False if there is none or the request failed. */
  async loadOlder(): Promise<boolean> {
    const before = this.view()?.before;
    if (before === undefined) return false;
    return this.fetching?.done ?? this.load(`before=${before}`, (now, page) => prepend(now, page));
  }

  async loadNewer(): Promise<boolean> {
    const view = this.view();
    if (!view?.newer) return false;
    return this.fetching?.done ?? this.load(`after=${view.items.at(-1)?.seq ?? 0}`, append);
  }

  /** Moves the window to the end of the transcript. */
  async showLatest(): Promise<void> {
    this.following = true;
    if (this.view()?.newer) await this.load("", replace);
  }

  /** Moves the window to a seq. */
  async showAround(seq: number): Promise<void> {
    const view = this.view();
    if (!view) return;
    const first = view.items[0]?.seq ?? 0;
    const last = view.newer ? (view.items.at(-1)?.seq ?? 0) : view.state.lastSeq;
    if (seq >= first && seq <= last) return;
    this.following = false;
    const found = await this.load(`before=${seq + 1}`, (now, page) =>
      replace(now, { ...page, after: seq }, []),
    );
    if (found) await this.loadNewer();
  }

  /** Fetches a page without moving the window. */
  async peek(where: { readonly before: number } | { readonly after: number }): Promise<Page | undefined> {
    const [[name, seq] = ["", 0]] = Object.entries(where);
    const page = await this.fetchPage(`${name}=${seq}`, peekItems);
    return page.ok ? page.value : undefined;
  }

  private view(): SessionView | undefined {
    const live = this.state.get();
    return live.phase === "ready" ? live.view : undefined;
  }

  /** Fetches a page and adds it to the window, unless a later request replaced this one. */
  private load(
    where: string,
    place: (view: SessionView, page: Page, missed: readonly Item[]) => SessionView,
  ): Promise<boolean> {
    const missed = new Map<string, Item>();
    const fetch = async () => {
      const page = await this.fetchPage(where, pageItems);
      if (this.fetching !== fetching) return false;
      this.fetching = undefined;
      if (page.ok) this.update((view) => place(view, page.value, [...missed.values()]));
      return page.ok;
    };
    const fetching = { missed, done: fetch() };
    this.fetching = fetching;
    return fetching.done;
  }

  private fetchPage(where: string, limit: number) {
    return api<Page>("GET", `/api/sessions/${this.sessionId}/messages?limit=${limit}&${where}`);
  }

  private async synchronise(): Promise<void> {
    this.flush();
    const after = this.view()?.state.lastSeq;
    const { sessionId } = this;
    const opened = await this.connection.request<History>("session:open", {
      sessionId,
      view: "events",
      ...(after === undefined ? {} : { after }),
    });
    if (!opened.ok) return this.fail(opened.error);
    if (after !== undefined && !opened.value.reset) {
      return this.connection.noteMissed(Math.max(0, opened.value.session.lastSeq - after));
    }
    this.buffer = [];
    this.fetching = undefined;
    this.state.set({ phase: "ready", view: openView(opened.value) });
    await this.loadSettled();
  }

  /** A lost connection is not reported: the history is requested again once it is back. */
  private fail(problem: Problem): void {
    if (problem.code !== "OFFLINE") this.state.set({ phase: "failed", problem });
  }

  /** Loads earlier decisions. The history contains only open interactions. */
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

  private hear(announcement: SocketAnnouncement): void {
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
    const view = this.view();
    if (!view || this.buffer.length === 0) return;
    let last = view.state.lastSeq;
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
    const folded = fold(view, events);
    for (const item of folded.changed) this.fetching?.missed.set(item.id, item);
    this.state.set({ phase: "ready", view: trim(folded.view, this.following ? "oldest" : "newest") });
  }

  private update(change: (view: SessionView) => SessionView): void {
    const view = this.view();
    if (view) this.state.set({ phase: "ready", view: change(view) });
  }
}
