import type { Interaction, Item, ReviewState, SessionStateName } from "@drover/core";
import type { EncodedEvent } from "./event-log.ts";
import type { Receipted } from "./records.ts";
import type { PendingWorkspace, SessionAbout, SessionRow, SessionWorkspace } from "./session-row.ts";

/** A new session: an earlier transcript becomes the beginning of its log. */
export interface NewSession {
  readonly row: SessionRow;
  readonly events?: readonly EncodedEvent[];
  /** The items of the events, all closed. */
  readonly items?: readonly Item[];
  readonly receipt?: Receipted;
}

export interface SessionQuery {
  readonly limit: number;
  /** The directory a person chose. */
  readonly projectDir?: string;
  readonly state?: SessionStateName;
  readonly kind?: SessionAbout["kind"];
  readonly projectId?: string;
  /** Only the workers of this batch. */
  readonly batch?: string;
  readonly archived: boolean;
  /** Only sessions that no person has seen since their last turn ended, or their review opened. */
  readonly unread?: boolean;
  /** Only sessions whose review is in one of these states; at least one. */
  readonly review?: readonly ReviewState[];
  readonly agentSessionId?: string;
  /** Opaque: the `before` of an earlier page; any other is rejected with BAD_CURSOR. */
  readonly before?: string;
}

export interface Filing {
  readonly id: string;
  readonly projectDir: string;
  readonly projectId?: string;
}

/** `expired` is the part of `resolved` that awaits a person's follow-up. */
export type InteractionFilter = "open" | "expired" | "resolved" | "all";

export interface SettledQuery {
  readonly sessionId: string;
  readonly kind: Interaction["kind"];
  /** The interaction's own id, or its tool call's. */
  readonly id: string;
}

/** Sessions, and the items and interactions that belong to them. Implementations pass test/contract/sessions.ts. */
export interface Sessions {
  /** The node owns the session's stream from the start, with epoch 1. Its workspace is no longer pending. */
  create(session: NewSession, node: string): Promise<void>;
  /** By id or name; deleted sessions are not found by name. */
  session(idOrName: string): Promise<SessionRow | undefined>;
  sessions(query: SessionQuery): Promise<{ rows: SessionRow[]; before?: string }>;
  liveSessions(): Promise<SessionRow[]>;
  /** The ids of sessions whose agents run in a directory or below it. */
  sessionsIn(directory: string): Promise<string[]>;
  /** Where sessions belong and which project they are filed under: all of them, or those at or below a directory. */
  filings(directory?: string): Promise<Filing[]>;
  /**
   * Removes the row; events, items and raw logs stay readable by id until pruned. A stale owner is rejected. `leaves`
   * becomes a pending workspace.
   */
  remove(sessionId: string, epoch: number, leaves?: SessionWorkspace): Promise<void>;
  /** The sessions with a workspace of their own. */
  ownWorkspaces(): Promise<Pick<SessionRow, "id" | "name" | "workspace">[]>;
  pendingWorkspaces(): Promise<PendingWorkspace[]>;
  savePendingWorkspace(pending: PendingWorkspace): Promise<void>;
  removePendingWorkspace(sessionId: string): Promise<void>;
  isNameTaken(name: string): Promise<boolean>;

  /**
   * Closed items with a number below `before`, oldest first, the last `limit` of them: fewer if they are large, so that
   * no page takes much memory, but at least one if there is one.
   */
  items(sessionId: string, before: number, limit: number): Promise<Item[]>;
  /** Closed items with a number above `after`, oldest first, the first `limit` of them; likewise. */
  itemsAfter(sessionId: string, after: number, limit: number): Promise<Item[]>;
  /** Which of these agent-side ids, and their `ID~n` forms, some tool call of the session already has. */
  usedToolCallIds(sessionId: string, ids: readonly string[]): Promise<ReadonlySet<string>>;

  interaction(id: string): Promise<Interaction | undefined>;
  /**
   * Oldest first. A list of the open ones of all sessions leaves out the largest inputs if they are too much for one
   * answer; the open ones of one session are complete. Of settled ones, the newest if they are many and large.
   */
  interactions(query: { state: InteractionFilter; sessionId?: string }): Promise<Interaction[]>;
  /** The most recently settled interaction with this id, or about this tool call. */
  settledInteraction(which: SettledQuery): Promise<Interaction | undefined>;
}
