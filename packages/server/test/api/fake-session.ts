// One session in memory: core's own deciders and folds with an array as the log.
import { createHash, randomInt } from "node:crypto";
import {
  awaitsFollowUp,
  type Command,
  type CreateSession,
  type Decision,
  type DecisionContext,
  decide,
  type EventBody,
  emptyState,
  emptyTimeline,
  evolve,
  extend,
  type Interaction,
  type Item,
  idleConnection,
  interactionIn,
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
  type Snapshot,
  stateName,
} from "@drover/core";
import type { EncodedEvent } from "../../src/ports.ts";
import type { EventListener } from "../../src/service.ts";

export const newId: DecisionContext["newId"] = (kind) => makeId(kind, Date.now(), () => randomInt(32));

export const noRepository = reject("UNSUPPORTED", "No repository", { what: "diff" });

export const notFound = (what: string) => reject("NOT_FOUND", `There is no such ${what}`, { what });

export const capabilities = {
  approvals: "live",
  amend: false,
  denyReason: false,
  steer: false,
  images: false,
  resume: true,
  fork: false,
  freshContext: false,
  systemText: "system",
  reattach: true,
  heldByMode: true,
  completion: "event",
} as const;

/** How many items a snapshot shows. */
const snapshotItems = 200;

export type Settling = Extract<Command, { type: "approve" | "deny" | "answer" }>;

export class FakeSession {
  readonly id = newId("session");
  readonly createdAt = new Date().toISOString();
  readonly agent: string;
  readonly cwd: string;
  name: string;
  title: string;
  archived = false;
  seenSeq = 0;
  deleted = false;
  permissionMode: Session["permissionMode"];
  state: SessionState = emptyState;
  readonly log: EncodedEvent[] = [];
  readonly interactions = new Map<string, Interaction>();
  readonly listeners = new Set<EventListener>();
  /** By clientMessageId. */
  readonly receipts = new Map<string, { content: string; receipt: Receipt }>();
  private timeline = emptyTimeline;
  private readonly items = new Map<string, Item>();

  constructor({ agent, cwd, name, title = "", permissionMode = "ask" }: CreateSession) {
    this.agent = agent;
    this.cwd = cwd;
    this.name = name ?? makeName(() => randomInt(32), 0);
    this.title = title;
    this.permissionMode = permissionMode;
  }

  /** Stores events, then notifies listeners: for an agent's output and a decider's events alike. */
  append(bodies: readonly EventBody[]): EncodedEvent[] {
    const batch: EncodedEvent[] = [];
    for (const { type, ...body } of bodies) {
      const seq = this.state.lastSeq + 1;
      const at = new Date().toISOString();
      const event = { type, seq, from: seq, at, sessionId: this.id, ...body } as SessionEvent;
      batch.push({ from: seq, seq, type, data: JSON.stringify(event) });
      this.state = evolve(this.state, event);
      const step = extend(this.timeline, event);
      this.timeline = step.timeline;
      for (const { item } of step.changed) this.items.set(item.id, item);
      this.remember(event);
    }
    this.log.push(...batch);
    for (const listener of this.listeners) listener(batch);
    return batch;
  }

  /** Like the store once an item is closed: one range replaces its deltas. */
  compact(from: number, seq: number): void {
    const start = this.log.findIndex((event) => event.from === from);
    const end = this.log.findIndex((event) => event.seq === seq);
    const deltas = this.log.slice(start, end + 1).map(({ data }) => JSON.parse(data));
    const text = deltas.map((delta) => delta.text).join("");
    const at = new Date().toISOString();
    const item = { id: deltas[0].itemId, kind: "text", status: "complete", at, seq: from, text };
    const data = JSON.stringify({ type: "item", seq, from, at, sessionId: this.id, item });
    this.log.splice(start, end - start + 1, { from, seq, type: "item", data });
  }

  /** Ranges after a number, up to about this many bytes. */
  page(after: number, maxBytes: number): EncodedEvent[] {
    const first = this.log.findIndex((event) => event.seq > after);
    if (first < 0) return [];
    let bytes = 0;
    const end = this.log.findIndex((event, at) => {
      if (at >= first) bytes += event.data.length;
      return bytes >= maxBytes;
    });
    return this.log.slice(first, end < 0 ? undefined : end + 1);
  }

  run<K extends Command["type"]>(
    command: Extract<Command, { type: K }>,
    queueMax = 50,
  ): Result<Decision, Rejection> {
    const { id, name, title, agent, permissionMode } = this;
    const decision = decide<K>(this.state, command, {
      now: new Date().toISOString(),
      newId,
      hash: (input) => createHash("sha256").update(JSON.stringify(input)).digest("hex"),
      session: {
        ...{ id, name, title, agent, permissionMode, grants: [], mustWait: false, isStopping: false },
        cwd: "/work",
        denyReasonReachesAgent: false,
        canAmend: false,
        canSteer: false,
      },
      queueMax,
      interactionTimeoutMs: 600_000,
    });
    if (decision.ok) this.append(decision.value.events);
    return decision;
  }

  settle(command: Settling): Result<Interaction, Rejection> {
    const { toolCallId } = command;
    const isMeant = (i: Interaction) => i.id === toolCallId || i.toolCallId === toolCallId;
    const settled = [...this.interactions.values()].find((i) => isMeant(i) && i.state === "resolved");
    if (settled) {
      const { resolution, by, at } = settled;
      return reject("ALREADY_RESOLVED", `${by} was first`, { resolution, by, at });
    }
    const decision = this.run<Settling["type"]>(command);
    if (!decision.ok) return decision;
    const interaction = this.interactions.get(decision.value.interaction?.id ?? "");
    return interaction ? ok(interaction) : notFound("interaction");
  }

  expired(toolCallId: string): Result<Interaction, Rejection> {
    const found = [...this.interactions.values()].find((one) => one.toolCallId === toolCallId);
    return found && awaitsFollowUp(found) ? ok(found) : notFound("interaction");
  }

  view(): Session {
    const { id, name, title, agent, cwd, archived, permissionMode, state, createdAt } = this;
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

  queue(): Snapshot["queue"] {
    return { paused: this.state.queuePaused, messages: this.state.queue };
  }

  itemsBefore(before: number, limit: number): { items: Item[]; before?: number } {
    const all = [...this.items.values()].filter((item) => item.seq < before).sort((a, b) => a.seq - b.seq);
    const items = all.slice(-limit);
    const first = items[0];
    return all.length > items.length && first ? { items, before: first.seq } : { items };
  }

  snapshot(): Snapshot {
    const { lastSeq: seq, interactions } = this.state;
    const page = this.itemsBefore(Number.MAX_SAFE_INTEGER, snapshotItems);
    return { seq, session: this.view(), ...page, interactions, queue: this.queue() };
  }

  private remember(event: SessionEvent): void {
    if (event.type === "approval_required" || event.type === "question_prompt") {
      this.interactions.set(event.id, interactionIn(event));
    }
    if (event.type !== "interaction_resolved") return;
    const before = this.interactions.get(event.interactionId);
    const { resolution, by, at } = event;
    if (before) this.interactions.set(before.id, { ...before, state: "resolved", resolution, by, at });
  }
}
