import {
  type EventBody,
  emptyTimeline,
  evolve,
  evolveWorker,
  extend,
  type Interaction,
  type Item,
  type NewProposals,
  type OpenItem,
  type SessionEvent,
  type SessionState,
  stateName,
  type Timeline,
} from "@drover/core";
import type {
  AlarmChanges,
  EncodedEvent,
  EventLog,
  Receipted,
  RuntimeChange,
  SessionAbout,
  SessionRow,
  SessionRuntime,
  Sessions,
  SessionWorkspace,
} from "../../ports.ts";
import { alarmsFor } from "../alarms/alarms-for.ts";
import type { Bus } from "../bus.ts";
import { changedInteractions } from "./changed-interactions.ts";

/** The consequences of one decision. Omitted parts stay unchanged. */
export interface Change {
  readonly events?: readonly EventBody[];
  readonly runtime?: RuntimeChange;
  readonly about?: Partial<SessionAbout>;
  readonly workspace?: Partial<SessionWorkspace>;
  readonly name?: string;
  readonly archived?: boolean;
  /** The number up to which a person has seen the session. */
  readonly seenSeq?: number;
  /** The project the session moves to. */
  readonly projectId?: string;
  /** Interactions of these events that are not open: settled as soon as they were asked, or expired. */
  readonly settled?: readonly Interaction[];
  readonly receipts?: readonly Receipted[];
  readonly proposals?: NewProposals;
  readonly durability: "command" | "output";
}

/** What an append changed. */
export interface Committed {
  readonly events: readonly SessionEvent[];
  readonly alarms: AlarmChanges;
}

type JournalStore = Pick<EventLog, "claim" | "append" | "events"> & Pick<Sessions, "remove">;

export interface JournalParts {
  readonly store: JournalStore;
  readonly bus: Bus;
  /** The node that owns the session's log from now on. */
  readonly node: string;
}

/** What the store holds for a session when its journal is opened. */
interface Loaded {
  readonly row: SessionRow;
  readonly timeline: Timeline;
  readonly epoch: number;
}

/** Most of what agents send; it changes no list. */
const talk: ReadonlySet<SessionEvent["type"]> = new Set(["text_delta", "thinking_delta", "tool_call_delta"]);

/** Rewriting a short item costs more than it saves a reader. */
const compactFrom = 3;

/**
 * The durable half of a session: its row, its fold and its open items, always exactly what the store holds. `append`
 * encodes, stores, and only then publishes. Callers append to one session sequentially.
 */
export class Journal {
  row: SessionRow;
  timeline: Timeline;
  private readonly store: JournalStore;
  private readonly bus: Bus;
  private readonly epoch: number;
  private isRemoved = false;

  private constructor({ store, bus }: JournalParts, { row, timeline, epoch }: Loaded) {
    this.store = store;
    this.bus = bus;
    this.row = row;
    this.timeline = timeline;
    this.epoch = epoch;
  }

  /** Open items are rebuilt from the first event they still need, never from the beginning. */
  static async load(parts: JournalParts, row: SessionRow): Promise<Journal> {
    const epoch = await parts.store.claim(row.id, parts.node);
    let timeline = emptyTimeline;
    for (let after = row.openFrom - 1; after < row.state.lastSeq; ) {
      const page = await parts.store.events(row.id, after, 1 << 20);
      for (const { data } of page) timeline = extend(timeline, JSON.parse(data) as SessionEvent).timeline;
      after = page.at(-1)?.seq ?? row.state.lastSeq;
    }
    return new Journal(parts, { row, timeline, epoch });
  }

  get state(): SessionState {
    return this.row.state;
  }

  /** Deletes the session. Later changes are dropped. */
  async remove(leaves?: SessionWorkspace): Promise<void> {
    await this.store.remove(this.row.id, this.epoch, leaves);
    this.isRemoved = true;
  }

  async append(change: Change): Promise<Committed> {
    if (this.isRemoved) return { events: [], alarms: { set: [], clear: [] } };
    const at = new Date().toISOString();
    const written = this.write(change.events ?? [], at);
    const interactions = changedInteractions(written.events, [
      ...this.state.interactions,
      ...(change.settled ?? []),
    ]);
    const row = this.nextRow(change, written, at);
    const attempts = [this.row.runtime.attempt, row.runtime.attempt] as const;
    const queues = [this.row.state.queue, row.state.queue] as const;
    const alarms = alarmsFor({ interactions, attempts, queues }, at);
    const isNews = written.events.length === 0 || written.events.some(({ type }) => !talk.has(type));
    await this.store.append({
      stream: row.id,
      epoch: this.epoch,
      expectedSeq: this.row.state.lastSeq,
      events: written.encoded,
      compacted: written.compacted,
      session: { row, items: written.closed, interactions, proposals: change.proposals },
      alarms,
      ...(change.receipts ? { receipts: change.receipts } : {}),
      isNews,
      durability: change.durability,
    });
    this.row = row;
    this.timeline = written.timeline;
    if (written.encoded.length > 0) this.bus.publish(row.id, written.encoded);
    if (isNews) this.bus.news();
    return { events: written.events, alarms };
  }

  private write(bodies: readonly EventBody[], at: string) {
    let { state } = this.row;
    let { timeline } = this;
    const fold = this.row.about.worker ? evolveWorker : evolve;
    const events: SessionEvent[] = [];
    const encoded: EncodedEvent[] = [];
    const closed = new Map<string, OpenItem>();
    for (const body of bodies) {
      const seq = state.lastSeq + 1;
      const { type, ...fields } = body;
      const event = { type, seq, from: seq, at, sessionId: this.row.id, ...fields } as SessionEvent;
      events.push(event);
      encoded.push({ from: seq, seq, type, data: JSON.stringify(event) });
      state = fold(state, event);
      const step = extend(timeline, event);
      timeline = step.timeline;
      for (const entry of step.changed) if (entry.item.status !== "open") closed.set(entry.item.id, entry);
    }
    const items: Item[] = [];
    const compacted: EncodedEvent[] = [];
    for (const entry of closed.values()) {
      items.push(entry.item);
      compacted.push(...this.compact(entry));
    }
    return { events, encoded, state, timeline, closed: items, compacted };
  }

  /** A closed text with consecutive numbers may replace its deltas on replay. */
  private compact({ item, last, count }: OpenItem): EncodedEvent[] {
    const isSpeech = item.kind === "text" || item.kind === "thinking";
    if (!isSpeech || count < compactFrom || last - item.seq + 1 !== count) return [];
    const turn = item.turnId ? { turnId: item.turnId } : {};
    const envelope = { type: "item", seq: last, from: item.seq, at: item.at, sessionId: this.row.id };
    const data = JSON.stringify({ ...envelope, ...turn, item });
    return [{ from: item.seq, seq: last, type: "item", data }];
  }

  private nextRow(
    change: Change,
    written: { state: SessionState; timeline: Timeline },
    at: string,
  ): SessionRow {
    const runtime = withoutNulls({ ...this.row.runtime, ...change.runtime });
    const { process, checkpoint, merge, update } = runtime;
    const { state, timeline } = written;
    return {
      ...this.row,
      name: change.name ?? this.row.name,
      archived: change.archived ?? this.row.archived,
      // The same object if nothing changed: the store writes large parts of a row only if they differ.
      about: aboutAfter(this.row.about, change),
      workspace: change.workspace ? { ...this.row.workspace, ...change.workspace } : this.row.workspace,
      // Reattaching an agent, advancing a position or moving a session is not activity: lists keep their order.
      updatedAt: isActivity(change) ? at : this.row.updatedAt,
      runtime,
      state,
      stateName: stateName(state),
      live: Boolean(
        process ||
          checkpoint ||
          merge ||
          update?.isWritten === false ||
          state.turn ||
          state.queue[0] ||
          state.interactions[0],
      ),
      openFrom: Math.min(state.lastSeq + 1, ...Object.values(timeline.open).map(({ item }) => item.seq)),
      seenSeq: change.seenSeq ?? this.row.seenSeq,
    };
  }
}

const withoutNulls = (runtime: { [K in keyof SessionRuntime]: SessionRuntime[K] | null }) =>
  Object.fromEntries(
    Object.entries(runtime).filter(([, value]) => value !== null),
  ) as unknown as SessionRuntime;

function aboutAfter(before: SessionAbout, { about, projectId }: Change): SessionAbout {
  if (!about && projectId === undefined) return before;
  return { ...before, ...about, ...(projectId === undefined ? {} : { projectId }) };
}

const isActivity = ({ events, about, name, archived }: Change): boolean =>
  (events?.length ?? 0) > 0 || about !== undefined || name !== undefined || archived !== undefined;
