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
  /** The owner's, as `claim` answered it. Commits without events carry it too. */
  readonly epoch: number;
  /** The last number the decider saw; anything else in the store is a bug and refuses the append. */
  readonly expectedSeq: number;
  readonly events: readonly EncodedEvent[];
  /** Whole items standing for the deltas `from`…`seq` from now on. */
  readonly compacted?: readonly EncodedEvent[];
  readonly session: SessionUpdate;
  readonly alarms?: AlarmChanges;
  /** One for each way in which the intent may be repeated. */
  readonly receipts?: readonly Receipted[];
  /** Reactors see this commit. Not set when it only stores an agent's words. */
  readonly isNews?: boolean;
  /** `command`: on disk even after a power cut. `output`: survives any process's death; the spool has it too. */
  readonly durability: "command" | "output";
}

/** A stored change, as reactors find it. Numbers grow over all streams and are never used again. */
export interface StoredCommit {
  readonly number: number;
  readonly stream: string;
  /** Its events are those with a number above this… */
  readonly after: number;
  /** …up to this; none where both are the same. */
  readonly seq: number;
  /** The stream was deleted. */
  readonly removed: boolean;
}

/**
 * Numbered events in streams, one stream for each session. One node owns a stream and appends to it; all nodes read it.
 * Implementations pass test/contract/event-log.ts.
 */
export interface EventLog {
  /**
   * Makes a node the owner of a stream and answers its epoch. The epoch grows whenever the owner changes, and appends
   * with an earlier one are refused with STALE_OWNER.
   */
  claim(stream: string, node: string): Promise<number>;
  /** Commits in groups: appends of one tick share a transaction, one refused append does not harm the others. */
  append(append: Append): Promise<void>;
  /** Stored stretches whose last number is above `after`, in order, up to about `maxBytes` (at least one). */
  events(stream: string, after: number, maxBytes: number): Promise<EncodedEvent[]>;
  lastSeq(stream: string): Promise<number>;
  /** The events of these types among those after a number, up to another. */
  eventsOfTypes(
    stream: string,
    range: { after: number; seq: number },
    types: readonly string[],
  ): Promise<EncodedEvent[]>;
  /** Commits after a number, in order. They are kept until every reactor has handled them. */
  commits(after: number, limit: number): Promise<StoredCommit[]>;
}
