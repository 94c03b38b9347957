import { err, ok, type Result, type SocketAnnouncement } from "@drover/core";
import { createStore } from "../state/store.ts";
import { clientId } from "./client-id.ts";
import { serverNow } from "./clock.ts";
import { api } from "./http.ts";
import { loginKey } from "./login-key.ts";
import { offline, type Problem } from "./wire.ts";

export type ConnectionStatus =
  | { readonly phase: "connecting"; readonly attempt: number }
  | { readonly phase: "open"; readonly attempt: 0; readonly back?: Comeback }
  /** Lost; the next attempt is at `retryAt`, by the server's clock. */
  | { readonly phase: "waiting"; readonly attempt: number; readonly retryAt: number };

/**
 * The connection is back after a loss: since when, in milliseconds since the epoch, and how many events of the open
 * session were missed.
 */
export interface Comeback {
  readonly since: number;
  readonly missed: number;
}

const firstRetryMs = 250;
const maxRetryMs = 8_000;
/** On a network that drops everything, opening a socket never fails. */
const openMs = 10_000;
/** A socket that leaves a request unanswered this long is dead, even if it was not closed. */
const answerMs = 20_000;
/** After this much silence the socket is probed, because a dead network reports nothing. */
const silenceMs = 20_000;
const watchMs = 5_000;
/** The time limit of a probe, which is cheap to answer. */
const probeMs = 5_000;

interface Pending {
  readonly settle: (answer: Result<Record<string, unknown>, Problem>) => void;
  readonly timer: ReturnType<typeof setTimeout>;
}

/** The tab's WebSocket, which reconnects automatically and reports its status. */
export class Connection {
  readonly status = createStore<ConnectionStatus>({ phase: "connecting", attempt: 0 });
  private socket: WebSocket | undefined;
  private retryTimer: ReturnType<typeof setTimeout> | undefined;
  private requests = 0;
  private heardAt = 0;
  private probing = false;
  private readonly pending = new Map<string, Pending>();
  private readonly openListeners = new Set<() => void>();
  private readonly listeners = new Set<(announcement: SocketAnnouncement) => void>();

  start(): void {
    addEventListener("online", () => this.wake());
    addEventListener("offline", () => this.wake());
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.wake();
    });
    let lookedAt = Date.now();
    setInterval(() => {
      // The machine slept, so the socket may be dead without notice.
      const slept = Date.now() - lookedAt > 2 * watchMs;
      lookedAt = Date.now();
      if (slept) this.wake();
      else if (lookedAt - this.heardAt > silenceMs) void this.probe();
    }, watchMs);
    this.connect();
  }

  /** Skips the pause before the next attempt. */
  retryNow(): void {
    if (this.status.get().phase === "waiting") this.connect();
  }

  /** Called now if the socket is open, and every time it opens again. */
  onOpen(listener: () => void): () => void {
    if (this.status.get().phase === "open") listener();
    return this.onComeback(listener);
  }

  /** Called each time the socket opens again. */
  onComeback(listener: () => void): () => void {
    this.openListeners.add(listener);
    return () => this.openListeners.delete(listener);
  }

  /** Records how many events were missed while the connection was lost. */
  noteMissed(events: number): void {
    const status = this.status.get();
    if (status.phase !== "open" || !status.back) return;
    const { since, missed } = status.back;
    this.status.set({ ...status, back: { since, missed: missed + events } });
  }

  onAnnouncement(listener: (announcement: SocketAnnouncement) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Sends a request and waits for the answer. `OFFLINE` if there is no connection or it is lost. */
  request<T>(
    type: string,
    fields: Record<string, unknown> = {},
    withinMs = answerMs,
  ): Promise<Result<T, Problem>> {
    const { socket } = this;
    if (!socket || this.status.get().phase !== "open") return Promise.resolve(err(offline));
    const requestId = `r${++this.requests}`;
    return new Promise((resolve) => {
      const settle: Pending["settle"] = (answer) => resolve(answer as Result<T, Problem>);
      this.pending.set(requestId, { settle, timer: setTimeout(() => this.lose(socket), withinMs) });
      socket.send(JSON.stringify({ type, requestId, ...fields }));
    });
  }

  /** The network may have changed: retry now, or check the open socket. */
  private wake(): void {
    this.retryNow();
    void this.probe();
  }

  /** Sends the cheapest request. A socket that does not answer is closed. */
  private async probe(): Promise<void> {
    if (this.probing || this.status.get().phase !== "open") return;
    this.probing = true;
    await this.request("session:list", { limit: 1 }, probeMs);
    this.probing = false;
  }

  private connect(): void {
    clearTimeout(this.retryTimer);
    const { attempt } = this.status.get();
    this.status.set({ phase: "connecting", attempt });
    // A browser's WebSocket cannot set headers: the client id is in the address, the key among the subprotocols.
    const address = new URL(`/ws?clientId=${clientId}`, location.href.replace(/^http/, "ws"));
    const socket = new WebSocket(address, ["drover", `key.${loginKey() ?? ""}`]);
    this.socket = socket;
    const timer = setTimeout(() => this.lose(socket), openMs);
    socket.onopen = () => {
      clearTimeout(timer);
      this.heardAt = Date.now();
      const back = attempt > 0 ? { back: { since: Date.now(), missed: 0 } } : {};
      this.status.set({ phase: "open", attempt: 0, ...back });
      for (const listener of [...this.openListeners]) listener();
    };
    socket.onmessage = ({ data }) => this.receive(JSON.parse(String(data)));
    socket.onclose = () => {
      clearTimeout(timer);
      this.lose(socket);
    };
  }

  /** The socket is closed, or dead: on a dead network, `close` is never answered. */
  private lose(socket: WebSocket): void {
    if (this.socket !== socket) return;
    this.socket = undefined;
    socket.onmessage = null;
    socket.close();
    const wasOpen = this.status.get().phase === "open";
    this.retryLater();
    this.failPending();
    // A browser does not say why an upgrade was refused. An HTTP request does, and leads to the login page.
    if (!wasOpen) void api("GET", "/api/interactions");
  }

  private retryLater(): void {
    const attempt = this.status.get().attempt + 1;
    const ceiling = Math.min(firstRetryMs * 2 ** (attempt - 1), maxRetryMs);
    // Randomised, so that tabs do not all reconnect to a restarted server at once.
    const pause = ceiling * (0.5 + Math.random() / 2);
    this.status.set({ phase: "waiting", attempt, retryAt: serverNow() + pause });
    this.retryTimer = setTimeout(() => this.connect(), pause);
  }

  private receive(frame: Record<string, unknown>): void {
    this.heardAt = Date.now();
    const { requestId } = frame;
    const pending = typeof requestId === "string" ? this.pending.get(requestId) : undefined;
    if (!pending) {
      for (const listener of [...this.listeners]) listener(frame as unknown as SocketAnnouncement);
      return;
    }
    clearTimeout(pending.timer);
    this.pending.delete(requestId as string);
    const refused = frame["type"] === "error";
    pending.settle(refused ? err(frame as unknown as Problem) : ok(frame));
  }

  private failPending(): void {
    for (const { settle, timer } of this.pending.values()) {
      clearTimeout(timer);
      settle(err(offline));
    }
    this.pending.clear();
  }
}
