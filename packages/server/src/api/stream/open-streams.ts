/** A long-lived connection: an event stream or a WebSocket. */
export interface OpenStream {
  readonly kind: "sse" | "websocket";
  /** The login that opened it; it ends with that login. */
  readonly login: string | undefined;
  /** Called every heartbeat. */
  beat(): void;
  /** Ends it gracefully; `loggedOut` if its right ended, otherwise the server is shutting down. */
  end(because: "shutdown" | "loggedOut"): void;
}

/** All open streams, their shared heartbeat, and statistics. */
export class OpenStreams {
  events = 0;
  bytes = 0;
  private readonly streams = new Set<OpenStream>();
  /** Login ids are random: one that has ended never returns. */
  private readonly endedLogins = new Set<string>();
  private readonly heartbeat: number;
  /** An open stream counts as use of its login. */
  private readonly use: (login: string) => void;
  private heart: NodeJS.Timeout | undefined;

  constructor(heartbeat: number, use: (login: string) => void) {
    this.heartbeat = heartbeat;
    this.use = use;
  }

  /** Keeps a stream until the returned function is called, when the connection has closed. */
  add(stream: OpenStream): () => void {
    this.streams.add(stream);
    // It was admitted just before its login ended.
    if (stream.login && this.endedLogins.has(stream.login)) queueMicrotask(() => stream.end("loggedOut"));
    this.heart ??= setInterval(() => {
      for (const each of this.streams) {
        each.beat();
        if (each.login) this.use(each.login);
      }
    }, this.heartbeat).unref();
    return () => {
      this.streams.delete(stream);
      if (this.streams.size > 0) return;
      clearInterval(this.heart);
      this.heart = undefined;
    };
  }

  count(kind: OpenStream["kind"]): number {
    return [...this.streams].filter((stream) => stream.kind === kind).length;
  }

  endLogin(login: string): void {
    this.endedLogins.add(login);
    for (const stream of [...this.streams]) if (stream.login === login) stream.end("loggedOut");
  }

  endAll(): void {
    for (const stream of [...this.streams]) stream.end("shutdown");
  }
}
