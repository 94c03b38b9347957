import type { Interaction } from "../interaction.ts";
import type { Item } from "../item.ts";
import type { Session } from "../session/view.ts";
import type { Queue } from "./lists.ts";

/** A session at one number. */
export interface Snapshot {
  readonly seq: number;
  readonly session: Session;
  readonly items: readonly Item[];
  /** Where older items begin: the next page's `before`. */
  readonly before?: number;
  readonly interactions: readonly Interaction[];
  readonly queue: Queue;
}

/** The answer to `session:open`. With a cursor, `entries` is empty and the events after it follow. */
export interface History {
  readonly sessionId: string;
  readonly session: Session;
  readonly entries: readonly Item[];
  /** Where older items begin, when there are some. */
  readonly before?: number;
  readonly cursor: number;
  /** The cursor asked for is not one of this log: `entries` is whole. */
  readonly reset?: boolean;
  readonly interactions: readonly Interaction[];
  readonly queue: Queue;
}
