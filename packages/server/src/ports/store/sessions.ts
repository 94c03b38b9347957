import type { Interaction, Item, SessionStateName } from "@drover/core";
import type { EncodedEvent } from "./event-log.ts";
import type { Receipted } from "./records.ts";
import type { SessionRow } from "./session-row.ts";

/** A session as it begins: what was said before it was made is the beginning of its log. */
export interface NewSession {
  readonly row: SessionRow;
  readonly events?: readonly EncodedEvent[];
  /** Those of the events, all closed. */
  readonly items?: readonly Item[];
  readonly receipt?: Receipted;
}

export interface SessionQuery {
  readonly limit: number;
  readonly cwd?: string;
  readonly state?: SessionStateName;
  readonly archived: boolean;
  readonly agentSessionId?: string;
  /** Opaque: the `before` a former page gave; any other is refused with BAD_CURSOR. */
  readonly before?: string;
}

export interface Filing {
  readonly id: string;
  readonly cwd: string;
  readonly projectId?: string;
}

/** `expired` is the part of `resolved` that awaits a person's follow-up. */
export type InteractionFilter = "open" | "expired" | "resolved" | "all";

export interface SettledQuery {
  readonly sessionId: string;
  readonly kind: Interaction["kind"];
  /** The interaction's own, or its tool call's. */
  readonly id: string;
}

/** Sessions, and the items and interactions that belong to them. Implementations pass test/contract/sessions.ts. */
export interface Sessions {
  /** The node owns the session's stream from the start, with epoch 1. */
  create(session: NewSession, node: string): Promise<void>;
  /** By id or name; deleted sessions are not found by name. */
  session(idOrName: string): Promise<SessionRow | undefined>;
  sessions(query: SessionQuery): Promise<{ rows: SessionRow[]; before?: string }>;
  liveSessions(): Promise<SessionRow[]>;
  /** Where sessions work and which project they are filed under: all of them, or those at or below a directory. */
  filings(directory?: string): Promise<Filing[]>;
  /** Takes the row away; events, items and raw logs stay readable by id until pruned. Refused to a stale owner. */
  remove(sessionId: string, epoch: number): Promise<void>;
  isNameTaken(name: string): Promise<boolean>;

  /**
   * Closed items with a number below `before`, oldest first, the last `limit` of them: fewer where they are large, so
   * that no page takes much memory, and at least one where there is one.
   */
  items(sessionId: string, before: number, limit: number): Promise<Item[]>;
  /** Closed items with a number above `after`, oldest first, the first `limit` of them; likewise. */
  itemsAfter(sessionId: string, after: number, limit: number): Promise<Item[]>;
  /** Of these agent-side ids, and their `ID~n` forms, those some tool call of the session has already. */
  usedToolCallIds(sessionId: string, ids: readonly string[]): Promise<ReadonlySet<string>>;

  interaction(id: string): Promise<Interaction | undefined>;
  /**
   * Oldest first. A list of the open ones of all sessions leaves out the largest inputs if they are too much for one
   * answer; the open ones of one session are complete. Of settled ones, the newest if they are many and large.
   */
  interactions(query: { state: InteractionFilter; sessionId?: string }): Promise<Interaction[]>;
  /** The last one that was settled of those with this id, or asked about this tool call. */
  settledInteraction(which: SettledQuery): Promise<Interaction | undefined>;
}
