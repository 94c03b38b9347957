// The service in memory. It has no agents: tests play them with `append`.
import {
  type Command,
  type EventBody,
  ok,
  type Rejection,
  type Result,
  reject,
  type Session,
  type StartFailure,
  type TurnChange,
} from "@drover/core";
import { piecesOf } from "../../src/api/http/pour.ts";
import type { EncodedEvent, Intent, Receipted } from "../../src/ports.ts";
import type { Service } from "../../src/service.ts";
import {
  fakeAccounts,
  fakeAgents,
  fakePaths,
  fakeProjects,
  fakeReviews,
  fakeServer,
  fakeWorkspaces,
} from "./fake-catalog.ts";
import { FakeFeed, turnChanges } from "./fake-feed.ts";
import { fakeInteractions } from "./fake-interactions.ts";
import { FakeSession, noRepository, notFound } from "./fake-session.ts";

export class FakeService implements Service {
  readonly known: FakeSession[] = [];
  readonly receipts = new Map<string, Receipted>();
  /** The output of every session's agent. */
  rawOutput = Buffer.alloc(0);
  readonly turnListeners = new Set<(change: TurnChange) => void>();
  readonly failureListeners = new Set<(failure: StartFailure) => void>();
  /** Calls that reached the service, by name; those refused earlier are not included. */
  readonly calls: string[] = [];
  queueMax = 50;
  refusal: Rejection | undefined;
  /** Thrown by the next call of `get`. */
  failure: Error | undefined;
  /** Awaited between the request for a page of the log and reading it. */
  beforeRead: () => Promise<void> = async () => {};
  beforeLocate: () => Promise<void> = async () => {};
  readonly refusing = () => this.refusal;

  append(id: string, bodies: readonly EventBody[]): EncodedEvent[] {
    const batch = this.must(id).append(bodies);
    this.notifyTurns(batch);
    return batch;
  }

  publish(type: string, facts: Record<string, unknown>): void {
    this.feed.publish(type, facts);
  }

  must(id: string): FakeSession {
    const session = this.find(id);
    if (!session) throw new Error(`no session ${id}`);
    return session;
  }

  private find(idOrName: string): FakeSession | undefined {
    return this.known.find((s) => s.id === idOrName || (s.name === idOrName && !s.deleted));
  }

  private notifyTurns(batch: readonly EncodedEvent[]): void {
    for (const change of batch.flatMap(turnChanges))
      for (const listener of this.turnListeners) listener(change);
  }

  private add(session: FakeSession, intent: Intent | undefined): Session {
    this.known.push(session);
    const view = session.view();
    this.keep(intent, view);
    return view;
  }

  /** Stores an answer with its command, as the engine does. */
  private keep(intent: Intent | undefined, answer: unknown): void {
    if (intent) this.receipts.set(intent.key, { ...intent, answer: JSON.stringify(answer) });
  }

  /** Runs a call on a session that is not deleted. */
  async use<T>(
    call: string,
    idOrName: string,
    what: (session: FakeSession) => Result<T, Rejection>,
  ): Promise<Result<T, Rejection>> {
    this.calls.push(call);
    const session = this.find(idOrName);
    if (!session || session.deleted) return notFound("session");
    const before = session.log.length;
    const result = what(session);
    this.notifyTurns(session.log.slice(before));
    return result;
  }

  /** Changes the queue of a session and returns it. */
  private requeue<K extends Command["type"]>(id: string, command: Extract<Command, { type: K }>) {
    return this.use(command.type, id, (session) => {
      const done = session.run<K>(command);
      return done.ok ? ok(session.queue()) : done;
    });
  }

  readonly sessions: Service["sessions"] = {
    create: async (input, { intent }) => {
      this.calls.push("create");
      const { agent, cwd, workspace = "local", name } = input;
      if (agent !== "demo")
        return reject("UNSUPPORTED_CLI", `There is no agent ${agent}`, { allowed: ["demo"] });
      if (cwd === "/etc") return reject("OUTSIDE_BOUNDARY", "/etc is outside");
      if (cwd === "/root/secret") return reject("PERMISSION_DENIED", "Access denied");
      if (workspace !== "local") return reject("UNSUPPORTED", `No ${workspace} yet`, { what: workspace });
      if (input.instructionFile) return reject("INSTRUCTIONS_UNREADABLE", "It cannot be read");
      if (name && this.find(name)) return reject("NAME_TAKEN", `The name ${name} is taken`);
      return ok(this.add(new FakeSession(input), intent));
    },
    fork: (id, { title }, { intent }) =>
      this.use("fork", id, ({ agent, cwd }) =>
        ok(this.add(new FakeSession({ agent, cwd, title: title ?? "A fork" }), intent)),
      ),
    list: async ({ limit, archived = false, cwd }) => {
      const found = this.known.filter(
        (s) => !s.deleted && s.archived === archived && (!cwd || s.cwd === cwd),
      );
      return ok({ sessions: found.slice(0, limit).map((s) => s.view()) });
    },
    get: async (id) => {
      const { failure } = this;
      this.failure = undefined;
      if (failure) throw failure;
      return this.use("get", id, (session) => ok(session.view()));
    },
    markSeen: (id, { seq }) =>
      this.use("seen", id, (session) => {
        session.seenSeq = seq;
        return ok(session.view());
      }),
    patch: (id, patch) =>
      this.use("patch", id, (session) => {
        if (patch.name && this.find(patch.name)) return reject("NAME_TAKEN", "The name is taken");
        Object.assign(session, patch);
        if (patch.archived) this.publish("session:archived", { sessionId: session.id });
        return ok(session.view());
      }),
    remove: (id) =>
      this.use("remove", id, (session) => {
        session.deleted = true;
        this.publish("session_removed", { sessionId: session.id });
        return ok({ deleted: true });
      }),
    send: (id, message, { by, clientId, intent }) =>
      this.use("send", id, (session) => {
        const { clientMessageId, content, disposition: requested, strict } = message;
        const known = clientMessageId ? session.receipts.get(clientMessageId) : undefined;
        if (known) {
          const isSame = known.content === content;
          return isSame ? ok(known.receipt) : reject("IDEMPOTENCY_CONFLICT", "Another text has this id");
        }
        const ids = { ...(clientId ? { clientId } : {}), ...(clientMessageId ? { clientMessageId } : {}) };
        const command = { type: "send", content, by, requested, strict, ...ids } as const;
        const sent = session.run<"send">(command, this.queueMax);
        if (!sent.ok) return sent;
        const { receipt } = sent.value;
        if (!receipt) throw new Error("a message without a receipt");
        if (clientMessageId) session.receipts.set(clientMessageId, { content, receipt });
        this.keep(intent, receipt);
        return ok(receipt);
      }),
    queue: (id) => this.use("queue", id, (session) => ok(session.queue())),
    enqueue: (id, message, { by }) => this.requeue<"enqueue">(id, { type: "enqueue", message, by }),
    editQueued: (id, { messageId, ...edit }, { by }) =>
      this.requeue<"edit_queued">(id, { type: "edit_queued", messageId, edit, by }),
    dropQueued: (id, messageId) => this.requeue<"drop_queued">(id, { type: "drop_queued", messageId }),
    interrupt: (id) =>
      this.use("interrupt", id, ({ state: { turn } }) => ok(turn ? { turnId: turn.id } : {})),
    stop: (id) => this.use("stop", id, (session) => ok(session.view())),
    resume: (id) => this.use("resume", id, (session) => ok(session.view())),
    reconnect: (id) => this.use("reconnect", id, (session) => ok(session.view())),
    items: async (id, { before = Number.MAX_SAFE_INTEGER, limit }) => {
      const session = this.find(id);
      return session ? ok(session.itemsBefore(before, limit)) : notFound("session");
    },
    looserThan: async (id, { sessionId, permissionMode, mcpServers }) => {
      const order = ["plan", "ask", "acceptEdits", "never"];
      const mode = permissionMode ?? (sessionId && this.find(sessionId)?.permissionMode) ?? "ask";
      if (mcpServers !== undefined) return "it has MCP servers";
      return order.indexOf(mode) > order.indexOf(this.must(id).permissionMode) ? "its mode" : undefined;
    },
    snapshot: (id) => this.use("snapshot", id, (session) => ok(session.snapshot())),
    locate: async (id) => {
      const session = await this.beforeLocate().then(() => this.find(id));
      return session ? ok({ id: session.id, lastSeq: session.state.lastSeq }) : notFound("session");
    },
    events: async (id, after, maxBytes) => {
      await this.beforeRead();
      return this.must(id).page(after, maxBytes);
    },
    subscribe: (id, listener) => {
      const { listeners } = this.must(id);
      listeners.add(listener);
      return { [Symbol.dispose]: () => listeners.delete(listener) };
    },
    workspace: (id) =>
      this.use("workspace", id, ({ cwd: path }) => ok({ mode: "local", path, versioned: false, files: [] })),
    fileLines: (id) => this.use("fileLines", id, () => noRepository),
    revert: (id) => this.use("revert", id, () => noRepository),
    discard: (id) => this.use("discard", id, () => noRepository),
    commit: (id) => this.use("commit", id, () => noRepository),
    attachment: async () => notFound("attachment"),
    files: (id) => this.use("files", id, () => ok({ files: [] })),
    diff: (id) => this.use("diff", id, () => noRepository),
    rawLog: async (id) => {
      const output = this.rawOutput;
      const read = async function* (from: number) {
        yield* piecesOf(output.subarray(from));
      };
      return this.find(id) ? ok({ bytes: output.length, read }) : notFound("session");
    },
  };

  readonly interactions = fakeInteractions(this);
  readonly agents = fakeAgents(this.calls);
  readonly accounts = fakeAccounts;
  readonly projects = fakeProjects(this.calls);
  readonly workers: Service["workers"] = {
    spawn: async ({ agent, cwd }, { intent }) => {
      this.calls.push("workers.spawn");
      return ok(this.add(new FakeSession({ agent, cwd }), intent));
    },
    proposals: async (id) => (this.find(id) ? ok({ proposals: [] }) : notFound("session")),
    proposal: async () => notFound("proposal"),
    removeProposal: async () => notFound("proposal"),
  };

  readonly reviews = fakeReviews((name, id) => {
    this.calls.push(name);
    return this.find(id) ? noRepository : notFound("session");
  });
  readonly workspaces = fakeWorkspaces;
  readonly paths = fakePaths;
  readonly server = fakeServer;
  readonly feed = new FakeFeed();
}
