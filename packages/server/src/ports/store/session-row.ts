import type {
  AgentAnswer,
  Attempt,
  ContextEntry,
  DriverName,
  Grant,
  Interaction,
  Item,
  KeptWorkInfo,
  McpServer,
  MergeStrategy,
  NewProposals,
  PermissionMode,
  SessionState,
  SessionStateName,
  TurnChanges,
  WorkerMode,
  WorkspaceMode,
} from "@drover/core";
import type { PlannedMerge, PlannedUpdate } from "../merge-plans.ts";

/** What people chose for a session; changed by PATCH and by approvals, not by events. */
export interface SessionAbout {
  readonly title: string;
  readonly kind: "session" | "worker";
  readonly agent: string;
  readonly driver: DriverName;
  readonly permissionMode: PermissionMode;
  readonly model?: string;
  /** The account that a person chose; without one, Drover chooses for each turn. */
  readonly account?: string | undefined;
  readonly system?: string;
  /** The text of its instruction file when it was created. */
  readonly instructions?: string;
  readonly mcpServers?: Readonly<Record<string, McpServer>>;
  readonly grants: readonly Grant[];
  readonly projectId?: string;
  /** Of a worker: what it is asked to do, and the batch it belongs to. */
  readonly worker?: { readonly mode: WorkerMode; readonly batch?: string };
}

/** Facts only the server needs to reattach an agent. Changed in the same transaction as the events they explain. */
export interface SessionRuntime {
  /** Process runs so far; each has its own directory and raw log. */
  readonly run: number;
  readonly process?: ProcessRecord;
  /** The account of the last process that was started for a turn. */
  readonly account?: string;
  readonly agentSessionId?: string;
  /** Whether the agent said, when it last connected, that it can load its conversation again. */
  readonly resumes?: boolean;
  /** Its agent has said whether it takes images. */
  readonly images?: boolean;
  /** For an agent whose conversation was restarted: it has yet to receive the transcript up to this number. */
  readonly pastUntil?: number;
  /** The running turn's attempt, from the commit that starts the turn to the one that ends it. */
  readonly attempt?: Attempt;
  /** The turn whose last checkpoint is still to be taken, and the commit of its first one if there is any. */
  readonly checkpoint?: PendingCheckpoint;
  /** A person has denied what a turn changed, and the files may not be back yet. */
  readonly denial?: PendingDenial;
  /** Context of messages that no prompt has delivered to the agent yet, by message. Not part of any event. */
  readonly contexts?: Readonly<Record<string, readonly ContextEntry[]>>;
  /** Setup commands of its project have yet to succeed in its worktree. */
  readonly setup?: "due";
  /** Its worktree was made again, and does not have the files of the last checkpoint yet. */
  readonly restoring?: "due";
  /** A merge of its work that is waiting, or has begun. */
  readonly merge?: PendingMerge;
  /** An update that left conflicts, or whose files may not be written yet. */
  readonly update?: PendingUpdate;
  /** Agent requests not yet answered on the agent's side, by request key. */
  readonly pending: Readonly<Record<string, PendingRequest>>;
  /** A person asked to stop: a restarted server continues stopping. */
  readonly stopping: boolean;
}

/** Values a session may lose again: `null` removes them. */
type Forgettable =
  | "process"
  | "account"
  | "attempt"
  | "agentSessionId"
  | "pastUntil"
  | "checkpoint"
  | "denial"
  | "setup"
  | "restoring"
  | "merge"
  | "update";

/** Omitted values stay. */
export type RuntimeChange = Partial<Omit<SessionRuntime, Forgettable>> & {
  readonly [K in Forgettable]?: SessionRuntime[K] | null;
};

export interface PendingCheckpoint {
  readonly turnId: string;
  readonly before?: string;
  /** What the turn changes is approved at its end. */
  readonly isGated?: true;
  /** For a person's change of files: what its event says besides the numbers. */
  readonly about?: Pick<TurnChanges, "reverts" | "partly" | "discarded">;
}

export interface PendingDenial {
  readonly interactionId: string;
  readonly by: string;
  readonly clientId?: string;
  readonly reason?: string;
}

export interface PendingMerge {
  readonly into: string;
  readonly strategy: MergeStrategy;
  readonly message?: string;
  readonly by: string;
  /** Its place in line, which a restart does not change. */
  readonly position: number;
  /** The files that a person wanted to merge, as a tree; omitted if any will do. */
  readonly wanted?: string;
  /** It waits for its turn in the queue; a merge that doesn't is finished, or dropped, when a server starts. */
  readonly isQueued: boolean;
  /** Its commits exist, and branches are about to move. */
  readonly planned?: PlannedMerge;
}

export interface PendingUpdate extends PlannedUpdate {
  readonly isWritten: boolean;
  /** The number of the session's last event when its agent was asked to resolve the conflicts. */
  readonly askedAt?: number;
}

export interface ProcessRecord {
  readonly pid: number;
  readonly startTime: string;
  readonly bootId: string;
  /** Bytes of the raw log already turned into events. */
  readonly position: number;
  /** The handshake is done; a process found without it is ended and started again. */
  readonly ready: boolean;
  /** What the driver needs to reattach; opaque to everyone else. */
  readonly memo?: unknown;
}

export interface PendingRequest {
  readonly interactionId: string;
  /** The request as the agent sent it, for the driver to replay after a restart. */
  readonly raw: unknown;
  /** Settled and stored, but the agent may not have received it yet. */
  readonly answer?: AgentAnswer;
}

/** Where a session works. Decided when it is created; nothing derives it again. */
export interface SessionWorkspace {
  readonly mode: WorkspaceMode;
  /** The top of its own files: a worktree's, or the session's directory. */
  readonly path: string;
  /** The directory a person chose: its project counts. */
  readonly projectDir: string;
  /** For a worktree: where the repository is, so that nothing in the worktree can send git elsewhere. */
  readonly repository?: WorkspaceRepository;
  readonly branch?: string;
  /** The branch was made for this workspace; absent if it existed before. */
  readonly isNewBranch?: true;
  readonly base?: { readonly ref: string; readonly commit: string };
  /** The first and the last of its own ports. */
  readonly ports?: readonly [number, number];
  readonly confined: boolean;
}

export interface WorkspaceRepository {
  /** The top of its main working tree. */
  readonly top: string;
  /** Refs, objects and settings. */
  readonly gitDirectory: string;
  /** HEAD and index of the worktree. */
  readonly treeDirectory: string;
}

/** A workspace without a session: it is being made or removed. A server that starts removes it. */
export interface PendingWorkspace {
  readonly sessionId: string;
  readonly workspace: SessionWorkspace;
  /** Whether it was being made: then no agent has worked there. */
  readonly isUnused: boolean;
  /** The kept work that it now has: it stays, and only this ref is left to remove. */
  readonly restored?: KeptRef;
}

export type KeptRef = Pick<KeptWorkInfo, "repository" | "ref">;

/** A session without its log. `queue` and `interactions` of the state are stored separately: they can be large. */
export interface SessionRow {
  readonly id: string;
  readonly name: string;
  /** The directory its agent runs in. */
  readonly cwd: string;
  readonly workspace: SessionWorkspace;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly archived: boolean;
  readonly about: SessionAbout;
  readonly runtime: SessionRuntime;
  readonly state: SessionState;
  readonly stateName: SessionStateName;
  /** Something must be done for it when a server starts: a process, a turn, a queue, an open interaction. */
  readonly live: boolean;
  /** The first event still needed to rebuild open items; `lastSeq + 1` if nothing is open. */
  readonly openFrom: number;
  /** The number up to which a person has seen the session. */
  readonly seenSeq: number;
}

/** A session as a commit leaves it. */
export interface SessionUpdate {
  readonly row: SessionRow;
  /** Items that closed. The text of a message or thought is that of its events, and may be stored only there. */
  readonly items?: readonly Item[];
  /** Interactions that were opened or settled, in their new state. */
  readonly interactions?: readonly Interaction[];
  readonly proposals?: NewProposals | undefined;
}
