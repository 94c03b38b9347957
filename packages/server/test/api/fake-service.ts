// The service in memory: core's own deciders and folds on an array for a log. No agents: tests play their part with
// `append`.
import { createHash, randomInt } from "node:crypto";
import {
  type Command,
  type Decision,
  decide,
  type EventBody,
  emptyState,
  emptyTimeline,
  evolve,
  extend,
  type Given,
  type Interaction,
  type Item,
  idleConnection,
  makeId,
  makeName,
  ok,
  type Receipt,
  type Rejection,
  type Result,
  reject,
  type Session,
  type SessionEvent,
  type SessionState,
  stateName,
  type Timeline,
} from "@drover/core";
import type { TurnChange } from "../../src/api/deps.ts";
import type { EncodedEvent, Receipted } from "../../src/ports.ts";
import type { EventListener, FeedEntry, Project, Service } from "../../src/service.ts";

const random = () => randomInt(32);
const newId: Given["newId"] = (kind) => makeId(kind, Date.now(), random);
const capabilities = {
  approvals: "live",
  amend: false,
  denyReason: false,
  steer: false,
  resume: true,
  fork: false,
  freshContext: false,
  reattach: true,
  completion: "event",
} as const;

interface FakeSession {
  readonly id: string;
  name: string;
  title: string;
  archived: boolean;
  permissionMode: Session["permissionMode"];
  readonly agent: string;
  readonly cwd: string;
  readonly createdAt: string;
  state: SessionState;
  timeline: Timeline;
  readonly log: EncodedEvent[];
  readonly items: Map<string, Item>;
  readonly settled: Map<string, Interaction>;
  readonly listeners: Set<EventListener>;
  readonly receipts: Map<string, { content: string; receipt: Receipt }>;
  deleted: boolean;
}

type Settling = Extract<Command, { type: "approve" | "deny" | "answer" }>;

const notFound = (what: string) => reject("NOT_FOUND", `There is no such ${what}`, { what });

export class FakeService implements Service {
  readonly known: FakeSession[] = [];
  readonly receipts = new Map<string, Receipted>();
  readonly projectList: Project[] = [];
  readonly entries: FeedEntry[] = [];
  readonly rawFiles: { path: string; bytes: number }[] = [];
  readonly turnListeners = new Set<(change: TurnChange) => void>();
  readonly feedListeners = new Set<(entry: FeedEntry) => void>();
  /** Calls that reached the service, by name: what was refused before is not among them. */
  readonly calls: string[] = [];
  queueMax = 50;
  refusal: Rejection | undefined;
  /** Thrown by the next call of `get`. */
  failure: Error | undefined;
  /** Awaited between asking for a page of the log and reading it. */
  beforeRead: () => Promise<void> = async () => {};
  refusing = () => this.refusal;

  append(id: string, bodies: readonly EventBody[]): EncodedEvent[] {
    const session = this.must(id);
    const batch: EncodedEvent[] = [];
    for (const { type, ...body } of bodies) {
      const seq = session.state.lastSeq + 1;
      const at = new Date().toISOString();
      const event = { type, seq, from: seq, at, sessionId: id, ...body } as SessionEvent;
      batch.push({ from: seq, seq, type, data: JSON.stringify(event) });
      session.state = evolve(session.state, event);
      const step = extend(session.timeline, event);
      session.timeline = step.timeline;
      for (const { item } of step.changed) session.items.set(item.id, item);
      this.remember(session, event);
    }
    session.log.push(...batch);
    for (const listener of session.listeners) listener(batch);
    return batch;
  }

  /** What the store does once an item is closed: one stretch stands for its deltas. */
  compact(id: string, from: number, seq: number): void {
    const { log } = this.must(id);
    const start = log.findIndex((event) => event.from === from);
    const end = log.findIndex((event) => event.seq === seq);
    const parts = log
      .slice(start, end + 1)
      .map((event) => JSON.parse(event.data) as { itemId: string; text: string });
    const item = {
      id: parts[0]?.itemId,
      kind: "text",
      status: "complete",
      seq: from,
      text: parts.map((p) => p.text).join(""),
    };
    const data = JSON.stringify({ type: "item", seq, from, sessionId: id, item });
    log.splice(start, end - start + 1, { from, seq, type: "item", data });
  }

  publish(type: string, facts: Record<string, unknown>): void {
    const id = this.feed.last + 1;
    const entry = { id, type, data: JSON.stringify({ type, seq: id, ...facts }) };
    this.entries.push(entry);
    for (const listener of this.feedListeners) listener(entry);
  }

  must(id: string): FakeSession {
    const session = this.find(id);
    if (!session) throw new Error(`no session ${id}`);
    return session;
  }

  private find(idOrName: string): FakeSession | undefined {
    return this.known.find((s) => s.id === idOrName || (s.name === idOrName && !s.deleted));
  }

  private remember(session: FakeSession, event: SessionEvent): void {
    if (event.type === "turn_start" || event.type === "done") {
      const turn = { sessionId: session.id, turnId: event.turnId };
      const change: TurnChange =
        event.type === "done"
          ? { ...turn, phase: "ended", reason: event.reason }
          : { ...turn, phase: "started" };
      for (const listener of this.turnListeners) listener(change);
    }
    if (event.type === "approval_required" || event.type === "question_prompt")
      session.settled.set(event.id, event);
    if (event.type !== "interaction_resolved") return;
    const before = session.settled.get(event.interactionId);
    if (before) {
      const { resolution, by, at } = event;
      session.settled.set(before.id, { ...before, state: "resolved", resolution, by, at });
    }
  }

  private run<K extends Command["type"]>(
    idOrName: string,
    command: Extract<Command, { type: K }>,
  ): Result<Decision & { session: FakeSession }, Rejection> {
    this.calls.push(command.type);
    const session = this.find(idOrName);
    if (!session || session.deleted) return notFound("session");
    const { id, name, agent, permissionMode } = session;
    const decision = decide<K>(session.state, command, {
      now: new Date().toISOString(),
      newId,
      hash: (input) => createHash("sha256").update(JSON.stringify(input)).digest("hex"),
      session: {
        ...{ id, name, agent, permissionMode, grants: [], mustWait: false },
        denyReasonReachesAgent: false,
        canAmend: false,
      },
      queueMax: this.queueMax,
      interactionTimeoutMs: 600_000,
    });
    if (!decision.ok) return decision;
    this.append(session.id, decision.value.events);
    return ok({ ...decision.value, session });
  }

  private settle(idOrName: string, command: Settling): Result<Interaction, Rejection> {
    const session = this.find(idOrName);
    const { toolCallId } = command;
    const settled = [...(session?.settled.values() ?? [])].find(
      (i) => (i.id === toolCallId || i.toolCallId === toolCallId) && i.state === "resolved",
    );
    if (settled) {
      const { resolution, by, at } = settled;
      return reject("ALREADY_RESOLVED", `${by} was first`, { resolution, by, at });
    }
    const done = this.run<Settling["type"]>(idOrName, command);
    if (!done.ok) return done;
    const id = done.value.interaction?.id ?? "";
    const interaction = done.value.session.settled.get(id);
    return interaction ? ok(interaction) : notFound("interaction");
  }

  private view(session: FakeSession): Session {
    const { id, name, title, agent, cwd, archived, permissionMode, state, createdAt } = session;
    const { turn } = state;
    return {
      ...{ id, name, title, kind: "session", agent, driver: "acp", state: stateName(state), archived, cwd },
      workspace: { mode: "local", path: cwd, projectDir: cwd, confined: false },
      permissionMode,
      run: 0,
      connection: idleConnection,
      ...(turn ? { turn: { id: turn.id, messageId: turn.messageId, startedAt: turn.startedAt } } : {}),
      ...(turn ? { lock: { lockedBy: turn.lockedBy, lockedAt: turn.startedAt } } : {}),
      queued: state.queue.length,
      queuePaused: state.queuePaused,
      openInteractions: state.interactions.length,
      usage: state.usage,
      capabilities,
      lastSeq: state.lastSeq,
      createdAt,
      updatedAt: createdAt,
    };
  }

  private queueOf({ state }: FakeSession) {
    return { paused: state.queuePaused, messages: state.queue };
  }

  private itemsBefore(
    session: FakeSession,
    before: number,
    limit: number,
  ): { items: Item[]; before?: number } {
    const all = [...session.items.values()].filter((item) => item.seq < before).sort((a, b) => a.seq - b.seq);
    const items = all.slice(-limit);
    const first = items[0];
    return all.length > items.length && first ? { items, before: first.seq } : { items };
  }

  readonly sessions: Service["sessions"] = {
    create: async (input, _caller, receipt) => {
      this.calls.push("create");
      if (input.agent !== "demo") {
        return reject("UNSUPPORTED_CLI", `There is no agent ${input.agent}`, { allowed: ["demo"] });
      }
      if (input.cwd === "/etc") return reject("OUTSIDE_BOUNDARY", "/etc is outside");
      if (input.cwd === "/root/secret") return reject("PERMISSION_DENIED", "no way in");
      if (input.workspace && input.workspace !== "local") {
        return reject("UNSUPPORTED", `No ${input.workspace} yet`, { what: input.workspace });
      }
      if (input.instructionFile) return reject("INSTRUCTIONS_UNREADABLE", "It cannot be read");
      if (input.name && this.find(input.name)) return reject("NAME_TAKEN", `${input.name} is taken`);
      const session: FakeSession = {
        id: newId("session"),
        name: input.name ?? makeName(random, (name) => this.find(name) !== undefined),
        title: input.title ?? "",
        archived: false,
        permissionMode: input.permissionMode ?? "ask",
        agent: input.agent,
        cwd: input.cwd,
        createdAt: new Date().toISOString(),
        state: emptyState,
        timeline: emptyTimeline,
        log: [],
        items: new Map(),
        settled: new Map(),
        listeners: new Set(),
        receipts: new Map(),
        deleted: false,
      };
      this.known.push(session);
      const made = this.view(session);
      if (receipt) this.receipts.set(receipt.key, { ...receipt, answer: JSON.stringify(made) });
      return ok(made);
    },
    list: async ({ limit, archived = false, cwd }) => {
      const found = this.known.filter(
        (s) => !s.deleted && s.archived === archived && (!cwd || s.cwd === cwd),
      );
      return { sessions: found.slice(0, limit).map((s) => this.view(s)) };
    },
    get: async (id) => {
      const { failure } = this;
      this.failure = undefined;
      if (failure) throw failure;
      const session = this.find(id);
      return session && !session.deleted ? ok(this.view(session)) : notFound("session");
    },
    patch: async (id, patch) => {
      this.calls.push("patch");
      const session = this.find(id);
      if (!session || session.deleted) return notFound("session");
      if (patch.name && this.find(patch.name)) return reject("NAME_TAKEN", `${patch.name} is taken`);
      Object.assign(session, patch);
      if (patch.archived) this.publish("session:archived", { sessionId: session.id });
      return ok(this.view(session));
    },
    remove: async (id) => {
      this.calls.push("remove");
      const session = this.find(id);
      if (!session || session.deleted) return notFound("session");
      session.deleted = true;
      this.publish("session_removed", { sessionId: session.id });
      return ok({ deleted: true });
    },
    send: async (id, message, caller) => {
      const session = this.find(id);
      const { clientMessageId, content } = message;
      const known = clientMessageId ? session?.receipts.get(clientMessageId) : undefined;
      if (known && known.content !== content) return reject("IDEMPOTENCY_CONFLICT", "other words, same id");
      if (known) return ok(known.receipt);
      const sent = this.run(id, {
        type: "send",
        content,
        by: caller.by,
        ...(caller.clientId ? { clientId: caller.clientId } : {}),
        ...(clientMessageId ? { clientMessageId } : {}),
        requested: message.disposition,
        strict: message.strict,
      });
      if (!sent.ok) return sent;
      const receipt = sent.value.receipt;
      if (!receipt) throw new Error("a message without a receipt");
      if (clientMessageId) session?.receipts.set(clientMessageId, { content, receipt });
      return ok(receipt);
    },
    queue: async (id) => {
      const session = this.find(id);
      return session ? ok(this.queueOf(session)) : notFound("session");
    },
    editQueued: async (id, messageId, edit) => {
      const done = this.run(id, { type: "edit_queued", messageId, edit });
      return done.ok ? ok(this.queueOf(done.value.session)) : done;
    },
    dropQueued: async (id, messageId) => {
      const done = this.run(id, { type: "drop_queued", messageId });
      return done.ok ? ok(this.queueOf(done.value.session)) : done;
    },
    interrupt: async (id) => {
      const done = this.run(id, { type: "interrupt" });
      if (!done.ok) return done;
      const { turn } = done.value.session.state;
      return ok(turn ? { turnId: turn.id } : {});
    },
    stop: async (id) => this.told(id, "stop"),
    resume: async (id) => this.told(id, "resume"),
    reconnect: async (id) => this.told(id, "reconnect"),
    items: async (id, { before = Number.MAX_SAFE_INTEGER, limit }) => {
      const session = this.find(id);
      return session ? ok(this.itemsBefore(session, before, limit)) : notFound("session");
    },
    snapshot: async (id) => {
      const session = this.find(id);
      if (!session || session.deleted) return notFound("session");
      const { state } = session;
      const page = this.itemsBefore(session, Number.MAX_SAFE_INTEGER, 200);
      const queue = this.queueOf(session);
      return ok({
        seq: state.lastSeq,
        session: this.view(session),
        ...page,
        interactions: state.interactions,
        queue,
      });
    },
    locate: async (id) => {
      const session = this.find(id);
      return session ? ok({ id: session.id, lastSeq: session.state.lastSeq }) : notFound("session");
    },
    events: async (id, after, maxBytes) => {
      await this.beforeRead();
      const { log } = this.must(id);
      const page: EncodedEvent[] = [];
      let bytes = 0;
      for (const event of log.slice(log.findIndex((e) => e.seq > after) >>> 0)) {
        page.push(event);
        bytes += event.data.length;
        if (bytes >= maxBytes) break;
      }
      return page;
    },
    subscribe: (id, listener) => {
      const { listeners } = this.must(id);
      listeners.add(listener);
      return { [Symbol.dispose]: () => listeners.delete(listener) };
    },
    rawLog: async (id) => (this.find(id) ? ok({ files: this.rawFiles }) : notFound("session")),
  };

  private told(id: string, call: string): Result<Session, Rejection> {
    this.calls.push(call);
    const session = this.find(id);
    return session && !session.deleted ? ok(this.view(session)) : notFound("session");
  }

  readonly interactions: Service["interactions"] = {
    list: async ({ state, sessionId }) =>
      this.known
        .filter((s) => !sessionId || s.id === sessionId)
        .flatMap((s) => [...s.settled.values()])
        .filter((i) => state === "all" || i.state === state),
    approve: async (id, { toolCallId, scope, inputHash, input }, { by }) =>
      this.settle(id, {
        ...{ type: "approve", toolCallId, by, scope, amended: input !== undefined },
        ...(inputHash === undefined ? {} : { inputHash }),
      }),
    deny: async (id, { toolCallId }, { by }) => this.settle(id, { type: "deny", toolCallId, by }),
    answer: async (id, { toolCallId, answers }, { by }) =>
      this.settle(id, { type: "answer", toolCallId, by, answers }),
  };

  readonly agents: Service["agents"] = {
    list: async () => [
      {
        ...{ agent: "demo", name: "Demo", driver: "acp", command: "demo", installed: true, login: "ok" },
        connections: [],
        capabilities,
      },
    ],
    reconnect: async (agent) =>
      agent === "demo"
        ? ok({ reconnecting: 0 })
        : reject("UNSUPPORTED_CLI", "unknown", { allowed: ["demo"] }),
  };

  readonly projects: Service["projects"] = {
    list: async () => this.projectList,
    add: async ({ path, name = "project" }) => {
      this.calls.push("projects.add");
      const project = { id: newId("project"), path, name, trusted: false, env: [] };
      this.projectList.push(project);
      return ok(project);
    },
    patch: async (id) => {
      const project = this.projectList.find((p) => p.id === id);
      return project ? ok(project) : notFound("project");
    },
    remove: async (id) => {
      const at = this.projectList.findIndex((p) => p.id === id);
      if (at < 0) return notFound("project");
      this.projectList.splice(at, 1);
      return ok({ deleted: true });
    },
  };

  readonly feed: Service["feed"] = ((service: FakeService) => ({
    get last() {
      return 1000 + service.entries.length;
    },
    since(id: number) {
      const from = id - 1000;
      return from >= 0 && from <= service.entries.length ? service.entries.slice(from) : undefined;
    },
    subscribe(listener: (entry: FeedEntry) => void) {
      service.feedListeners.add(listener);
      return { [Symbol.dispose]: () => void service.feedListeners.delete(listener) };
    },
  }))(this);
}
