import type { AlarmChanges } from "./alarms.ts";
import type { Receipted } from "./records.ts";
import type { SessionUpdate } from "./session-row.ts";

/** One stored stretch of a log, encoded once: `data` is the frame's JSON as every client gets it. */
export interface EncodedEvent {
  readonly from: number;
  readonly seq: number;
  readonly type: string;
  readonly data: string;
}

/** Everything one decision changes, committed together or not at all. */
export interface Append {
  readonly stream: string;
  /** The owner's epoch, as returned by `claim`. Commits without events carry it too. */
  readonly epoch: number;
  /** The last number the decider saw; if the store has another, that is a bug and the append is rejected. */
  readonly expectedSeq: number;
  readonly events: readonly EncodedEvent[];
  /** Complete items that replace the deltas `from`…`seq` from now on. */
  readonly compacted?: readonly EncodedEvent[];
  readonly session: SessionUpdate;
  readonly alarms?: AlarmChanges;
  /** One for each way in which the intent may be repeated. */
  readonly receipts?: readonly Receipted[];
  /** Reactors see this commit. Not set if it only stores an agent's text. */
  readonly isNews?: boolean;
  /** `command`: on disk even after a power cut. `output`: survives any process's death; the spool has it too. */
  readonly durability: "command" | "output";
}

/** A stored change, as reactors find it. Numbers grow over all streams and are never reused. */
export interface StoredCommit {
  readonly number: number;
  readonly stream: string;
  /** Its events are those with a number above this… */
  readonly after: number;
  /** …up to this; none if both are the same. */
  readonly seq: number;
  /** The stream was deleted. */
  readonly removed: boolean;
}

/**
 * Numbered events in streams, one stream per session. One node owns a stream and appends to it; all nodes read it.
 * Implementations pass test/contract/event-log.ts.
 */
export interface EventLog {
  /**
   * Makes a node the owner of a stream and returns its epoch. The epoch grows whenever the owner changes, and appends
   * with an earlier one are rejected with STALE_OWNER.
   */
  claim(stream: string, node: string): Promise<number>;
  /** Commits in groups: appends of one tick share a transaction, and a rejected append does not affect the others. */
  append(append: Append): Promise<void>;
  /** Stored stretches whose last number is above `after`, in order, up to about `maxBytes` (at least one). */
  events(stream: string, after: number, maxBytes: number): Promise<EncodedEvent[]>;
  lastSeq(stream: string): Promise<number>;
  /** The events of these types in a range of numbers. */
  eventsOfTypes(
    stream: string,
    range: { after: number; seq: number },
    types: readonly string[],
  ): Promise<EncodedEvent[]>;
  /** Commits after a number, in order. They are kept until every reactor has handled them. */
  commits(after: number, limit: number): Promise<StoredCommit[]>;
}
