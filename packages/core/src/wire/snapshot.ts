import type { Interaction } from "../interaction.ts";
import type { Item } from "../item.ts";
import type { Session } from "../session/view.ts";
import type { Queue } from "./lists.ts";

/** A session at one number. */
export interface Snapshot {
  readonly seq: number;
  readonly session: Session;
  readonly items: readonly Item[];
  /** Where older items start: the next page's `before`. */
  readonly before?: number;
  readonly interactions: readonly Interaction[];
  readonly queue: Queue;
}

/** The answer to `session:open`. With a cursor, `entries` is empty and the events after it follow. */
export interface History {
  readonly sessionId: string;
  readonly session: Session;
  readonly entries: readonly Item[];
  /** Where older items start, if there are any. */
  readonly before?: number;
  readonly cursor: number;
  /** The requested cursor is not part of this log: `entries` is complete. */
  readonly reset?: boolean;
  readonly interactions: readonly Interaction[];
  readonly queue: Queue;
}
