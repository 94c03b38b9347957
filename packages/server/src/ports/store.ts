import type {
  AgentAnswer,
  ContextEntry,
  DriverName,
  Grant,
  Interaction,
  Item,
  McpServer,
  PermissionMode,
  SessionState,
  SessionStateName,
} from "@drover/core";
import type { Reactions } from "./reactions.ts";

/** One stored stretch of a session's log, encoded once: `data` is the frame's JSON as every client gets it. */
export interface EncodedEvent {
  readonly from: number;
  readonly seq: number;
  readonly type: string;
  readonly data: string;
}

/** What people chose for a session; changes by PATCH and by approvals, not by events. */
export interface SessionAbout {
  readonly title: string;
  readonly kind: "session" | "worker";
  readonly agent: string;
  readonly driver: DriverName;
  readonly permissionMode: PermissionMode;
  readonly model?: string;
  readonly system?: string;
  /** What its instruction file said when it was made. */
  readonly instructions?: string;
  readonly mcpServers?: Readonly<Record<string, McpServer>>;
  readonly grants: readonly Grant[];
  readonly projectId?: string;
}

/** Facts only the server needs to find an agent again. Changed in the same transaction as the events they explain. */
export interface SessionRuntime {
  /** Process runs so far; each has its own directory and raw log. */
  readonly run: number;
  readonly process?: ProcessRecord;
  readonly agentSessionId?: string;
  /** Whether the agent said, when it last connected, that it can load its conversation again. */
  readonly resumes?: boolean;
  /** Of an agent whose conversation began anew: it has not been told yet what was said up to this number. */
  readonly pastUntil?: number;
  /** How far the current turn's prompt got. Found at `writing` after a crash, nobody knows whether it arrived. */
  readonly prompt?: {
    readonly turnId: string;
    /** The number of its event. Homes written before this was stored lack it. */
    readonly seq?: number;
    readonly phase: "accepted" | "writing" | "written";
    /** A person asked to end the turn: a restarted server goes on asking, and then insists. */
    readonly interrupted?: true;
    /** It goes out alone; what is due with a prompt waits for the next one. */
    readonly isBare?: true;
    /** Messages told in the running turn, by the numbers of their events. */
    readonly steers?: readonly Steer[];
  };
  /** What came with messages and no prompt has brought to the agent yet, by message. Part of no event. */
  readonly contexts?: Readonly<Record<string, readonly ContextEntry[]>>;
  /** Agent requests not yet answered on the agent's side, by request key. */
  readonly pending: Readonly<Record<string, PendingRequest>>;
  /** A person asked to stop: a restarted server goes on stopping. */
  readonly stopping: boolean;
}

export interface Steer {
  readonly messageId: string;
  readonly seq: number;
  /** The agent's input took all of it. */
  readonly isWritten?: true;
}

export interface ProcessRecord {
  readonly pid: number;
  readonly startTime: string;
  readonly bootId: string;
  /** Bytes of the raw log already turned into events. */
  readonly position: number;
  /** The handshake is done; a process found without it is ended and started again. */
  readonly ready: boolean;
  /** What the driver wants back when it re-attaches; opaque to everyone else. */
  readonly memo?: unknown;
}

export interface PendingRequest {
  readonly interactionId: string;
  /** The request as the agent sent it, for the driver to feed again after a restart. */
  readonly raw: unknown;
  /** Settled and stored, but the agent may not have heard yet. */
  readonly answer?: AgentAnswer;
}

/** A session without its log. `queue` and `interactions` of the state are stored apart: they can be large. */
export interface SessionRow {
  readonly id: string;
  readonly name: string;
  readonly cwd: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly archived: boolean;
  readonly about: SessionAbout;
  readonly runtime: SessionRuntime;
  readonly state: SessionState;
  readonly stateName: SessionStateName;
  /** Something must be done for it when a server starts: a process, a turn, a queue, an open interaction. */
  readonly live: boolean;
  /** The first event still needed to rebuild open items; `lastSeq + 1` when nothing is open. */
  readonly openFrom: number;
}

export interface Receipted {
  /** Unique per intent: `send:SESSION:id:CLIENT_MESSAGE_ID`, `send:SESSION:http:KEY` or `http:KEY`. */
  readonly key: string;
  /** Of the request's content: the same key with another hash is a conflict. */
  readonly hash: string;
  /** The answer, byte for byte. */
  readonly answer: string;
}

/** Everything one decision changes, committed together or not at all. */
export interface Append {
  readonly sessionId: string;
  /** The last number the decider saw; anything else in the store is a bug and refuses the append. */
  readonly expectedSeq: number;
  readonly row: SessionRow;
  readonly events: readonly EncodedEvent[];
  /** Items that closed. The words of a text or a thought are those of its events, and may be kept there alone. */
  readonly items?: readonly Item[];
  /** Whole items standing for the deltas `from`…`seq` from now on. */
  readonly compacted?: readonly EncodedEvent[];
  /** Opened or settled ones, as they now are. */
  readonly interactions?: readonly Interaction[];
  readonly receipt?: Receipted;
  /** Reactors see this commit. Not set when it only stores an agent's words. */
  readonly isNews?: boolean;
  /** `command`: on disk even after a power cut. `output`: survives any process's death; the spool has it too. */
  readonly durability: "command" | "output";
}

/** A session as it begins: what was said before it was made is the beginning of its log. */
export interface NewSession {
  readonly row: SessionRow;
  readonly events?: readonly EncodedEvent[];
  /** Those of the events, all closed. */
  readonly items?: readonly Item[];
  readonly receipt?: Receipted;
}

export class StoreError extends Error {
  override readonly name = "StoreError";
  readonly code: "CONFLICT" | "NAME_TAKEN" | "RECEIPT_TAKEN" | "BAD_CURSOR" | "STORAGE_FULL" | "STORE_BUSY";
  constructor(code: StoreError["code"], message: string) {
    super(message);
    this.code = code;
  }
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

export interface SettledQuery {
  readonly sessionId: string;
  readonly kind: Interaction["kind"];
  /** The interaction's own, or its tool call's. */
  readonly id: string;
}

export interface ProjectRow {
  readonly id: string;
  readonly path: string;
  readonly name: string;
  readonly trusted: boolean;
  readonly env: Readonly<Record<string, string>>;
}

/** A browser that is logged in. Of its secrets only the SHA-256 is kept, in hexadecimal. */
export interface LoginRow {
  readonly id: string;
  readonly cookieHash: string;
  readonly keyHash: string;
  /** The token of the install when it logged in: the login ends with that token. */
  readonly tokenHash: string;
  /** Which browser it is, for people: `Firefox on Linux`. */
  readonly label: string;
  readonly createdAt: string;
  /** Accurate to the hour. */
  readonly lastUsedAt: string;
}

/** The log and its projections. Every implementation passes test/contract/store.ts. */
export interface Store extends Reactions, AsyncDisposable {
  /** Commits in groups: appends of one tick share a transaction, one refused append does not harm the others. */
  append(append: Append): Promise<void>;
  create(session: NewSession): Promise<void>;
  /** By id or name; deleted sessions are not found by name. */
  session(idOrName: string): Promise<SessionRow | undefined>;
  sessions(query: SessionQuery): Promise<{ rows: SessionRow[]; before?: string }>;
  liveSessions(): Promise<SessionRow[]>;
  /** Takes the row away; events, items and raw logs stay readable by id until pruned. */
  remove(sessionId: string): Promise<void>;
  isNameTaken(name: string): Promise<boolean>;

  /** Stored stretches whose last number is above `after`, in order, up to about `maxBytes` (at least one). */
  events(sessionId: string, after: number, maxBytes: number): Promise<EncodedEvent[]>;
  lastSeq(sessionId: string): Promise<number>;
  /** The events of these types among those after a number, up to another. */
  eventsOfTypes(
    sessionId: string,
    range: { after: number; seq: number },
    types: readonly string[],
  ): Promise<EncodedEvent[]>;
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
  /** Oldest first. Open ones are complete; of others, where they are many and large, the newest. */
  interactions(query: { state: "open" | "resolved" | "all"; sessionId?: string }): Promise<Interaction[]>;
  /** The last one that was settled of those with this id, or asked about this tool call. */
  settledInteraction(which: SettledQuery): Promise<Interaction | undefined>;
  /** How much time open interactions have left, saved every 15 s so that a restart does not start it over. */
  saveRemaining(remaining: readonly { id: string; remainingMs: number }[]): Promise<void>;

  receipt(key: string): Promise<Receipted | undefined>;
  saveReceipt(receipt: Receipted): Promise<void>;

  projects(): Promise<ProjectRow[]>;
  saveProject(project: ProjectRow): Promise<void>;
  removeProject(id: string): Promise<void>;

  logins(): Promise<LoginRow[]>;
  addLogin(login: LoginRow): Promise<void>;
  /** Does nothing when the login has been removed. */
  useLogin(id: string, lastUsedAt: string): Promise<void>;
  removeLogins(ids: readonly string[]): Promise<void>;

  /** Ids deleted before this time whose log is still stored. */
  prunable(before: string): Promise<string[]>;
  prune(sessionId: string): Promise<void>;
  /** A consistent copy while serving. */
  backup(file: string): Promise<void>;
}
