import type {
  AgentAnswer,
  Attempt,
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
  /** The running turn's attempt, from the commit that begins the turn to the one that ends it. */
  readonly attempt?: Attempt;
  /** What came with messages and no prompt has brought to the agent yet, by message. Part of no event. */
  readonly contexts?: Readonly<Record<string, readonly ContextEntry[]>>;
  /** Agent requests not yet answered on the agent's side, by request key. */
  readonly pending: Readonly<Record<string, PendingRequest>>;
  /** A person asked to stop: a restarted server goes on stopping. */
  readonly stopping: boolean;
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

/** A session as a commit leaves it. */
export interface SessionUpdate {
  readonly row: SessionRow;
  /** Items that closed. The words of a text or a thought are those of its events, and may be kept there alone. */
  readonly items?: readonly Item[];
  /** Opened or settled ones, as they now are. */
  readonly interactions?: readonly Interaction[];
}
