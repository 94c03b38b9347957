import type {
  AgentAnswer,
  AgentFact,
  Capabilities,
  DriverName,
  Grant,
  Interaction,
  Item,
  McpServer,
  PermissionMode,
  Preset,
  QueuedMessage,
  Rejection,
  Result,
  SessionState,
  SessionStateName,
  WorkspaceChanges,
} from "@drover/core";

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
  /** How far the current turn's prompt got. Found at `writing` after a crash, nobody knows whether it arrived. */
  readonly prompt?: {
    readonly turnId: string;
    readonly phase: "accepted" | "writing" | "written";
    /** A person asked to end the turn: a restarted server goes on asking, and then insists. */
    readonly interrupted?: true;
  };
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

export interface Receipted {
  /** Unique per intent: `send:SESSION:CLIENT_MESSAGE_ID` or `http:KEY`. */
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

export interface ProjectRow {
  readonly id: string;
  readonly path: string;
  readonly name: string;
  readonly trusted: boolean;
  readonly env: Readonly<Record<string, string>>;
}

/** The log and its projections. Every implementation passes test/contract/store.ts. */
export interface Store extends AsyncDisposable {
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
  /** Closed items with a number below `before`, oldest first, the last `limit` of them. */
  items(sessionId: string, before: number, limit: number): Promise<Item[]>;
  /** Closed items with a number above `after`, oldest first, the first `limit` of them. */
  itemsAfter(sessionId: string, after: number, limit: number): Promise<Item[]>;
  /** Of these agent-side ids, and their `ID~n` forms, those some tool call of the session has already. */
  usedToolCallIds(sessionId: string, ids: readonly string[]): Promise<ReadonlySet<string>>;

  interaction(id: string): Promise<Interaction | undefined>;
  interactions(query: { state: "open" | "resolved" | "all"; sessionId?: string }): Promise<Interaction[]>;
  /** How much time open interactions have left, saved every 15 s so that a restart does not start it over. */
  saveRemaining(remaining: readonly { id: string; remainingMs: number }[]): Promise<void>;

  receipt(key: string): Promise<Receipted | undefined>;
  saveReceipt(receipt: Receipted): Promise<void>;

  projects(): Promise<ProjectRow[]>;
  saveProject(project: ProjectRow): Promise<void>;
  removeProject(id: string): Promise<void>;

  /** Hashes of login cookies: they outlive the server and end at logout. */
  addLogin(hash: string): Promise<void>;
  hasLogin(hash: string): Promise<boolean>;
  removeLogin(hash: string): Promise<void>;

  /** Ids deleted before this time whose log is still stored. */
  prunable(before: string): Promise<string[]>;
  prune(sessionId: string): Promise<void>;
  /** A consistent copy while serving. */
  backup(file: string): Promise<void>;
}

/** What a session asks of its agent. */
export interface OpenRequest {
  readonly sessionId: string;
  readonly preset: Preset;
  readonly cwd: string;
  /** This run's own directory: spool files and FIFO. */
  readonly directory: string;
  readonly env: Readonly<Record<string, string>>;
  /** Where the agent is now, in Drover's own words. Goes before `system`, and no budget of the session's counts it. */
  readonly context?: string;
  /** The session's own text, to be appended to the agent's system prompt. */
  readonly system?: string;
  /** What its instruction file says, after `system`: the part that may be shortened. */
  readonly instructions?: string;
  readonly model?: string;
  readonly mcpServers: Readonly<Record<string, McpServer>>;
  /** For agents with a planning mode of their own; what they may do is decided by Drover in any case. */
  readonly permissionMode: PermissionMode;
  /** The agent's own conversation to go on with. */
  readonly agentSessionId?: string;
  /** What the agent is started with; only where its `lifetime` is `prompt`. */
  readonly prompt?: { readonly turnId: string; readonly content: string };
  /** What was said in earlier turns, oldest first, where the driver replays it and nothing else remembers. */
  readonly transcript?: readonly Spoken[];
  /** The project may bring settings, hooks and instructions of its own. */
  readonly trusted?: boolean;
  /** Grows with every open of a session: tells answers to this server's requests from the last one's. */
  readonly epoch: number;
  /**
   * Set when a process was started before: the same path, from a stored position. If it is gone meanwhile, what it
   * left in its raw log is still recorded before `ended` tells so.
   */
  readonly attach?: { readonly process: ProcessRecord; readonly pending: SessionRuntime["pending"] };
  readonly startTimeoutMs: number;
  readonly stopGraceMs: number;
  /** Given up on while still opening: the driver ends the process and rejects. */
  readonly signal: AbortSignal;
}

/** Something said in a session, by a person or by its agent. */
export interface Spoken {
  readonly from: string;
  readonly to: string;
  readonly content: string;
}

/** What the engine offers a connection. Calls come in order, one at a time. */
export interface DriverHost {
  /**
   * The process exists: stored before anything is written to it, so that no crash can lose it. One that is ready and
   * was started with its prompt has it.
   */
  spawned(process: ProcessRecord): Promise<void>;
  /** Stores facts with the position they came from, then returns: the driver waits, which is the back-pressure. */
  record(batch: AgentBatch): Promise<void>;
}

export interface AgentBatch {
  readonly facts: readonly AgentFact[];
  /** Raw log bytes accounted for once this batch is stored. */
  readonly position: number;
  /** The agent's conversation, where it comes to be only with its first turn. */
  readonly agentSessionId?: string;
  /** Requests among the facts as the agent sent them, by request key. */
  readonly raw?: Readonly<Record<string, unknown>>;
}

export interface AgentExit {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stderrTail: string;
}

/** A live agent. Never throws on its own: `ended` says how it ended, after its last output was recorded. */
export interface AgentConnection {
  readonly pid: number;
  /** Absent while the agent has not named its conversation. */
  readonly agentSessionId?: string | undefined;
  readonly memo?: unknown;
  readonly ended: Promise<AgentExit>;
  /** Everything the agent had said when this connection opened is recorded. */
  readonly caughtUp: Promise<void>;
  /**
   * Of a process that lives for a turn: true as soon as its turn's end is recorded, unless it stays for background
   * work. It takes no further prompt and `ended` follows.
   */
  readonly isOver?: boolean;
  /** Resolves when the agent's input took all of it. Never called where the agent starts with its prompt. */
  prompt(turnId: string, content: string): Promise<void>;
  /** Asks the agent to end its turn; the end itself comes as a fact. */
  cancel(turnId: string): Promise<void>;
  /** Resolves when written. An unknown key is ignored: the agent may have gone on without it. */
  answer(requestKey: string, answer: AgentAnswer): Promise<void>;
  setModel(model: string): Promise<void>;
  /** Ends the whole process tree and proves it. */
  stop(): Promise<void>;
  /** Lets go without ending it: a later server re-attaches. */
  detach(): void;
  /** Stops and continues the process tree while storage is full. */
  pause(): void;
  unpause(): void;
}

/** The directory a session works in. Rejections are for a person: no repository, git missing, broken or too slow. */
export interface Workspace {
  changes(path: string): Promise<Result<Omit<WorkspaceChanges, "mode" | "path">, Rejection>>;
  /** The unified diff of all changes, or of one file. Whoever stops reading it ends git. */
  diff(path: string, file: string | undefined): Promise<Result<AsyncIterable<Uint8Array>, Rejection>>;
}

/** As whom an agent would be started: where it keeps its conversations depends on it. */
export interface AgentPlace {
  readonly preset: Preset;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

/** A conversation as the agent itself knows it, made through Drover or not. */
export interface AgentConversation {
  readonly agentSessionId: string;
  readonly title: string;
  readonly cwd: string;
  readonly updatedAt: string;
}

/** One entry of a conversation as its agent remembers it; nested ones follow the call they belong to. */
export interface PastItem extends Pick<Item, "kind" | "text" | "code" | "tool" | "parentToolCallId"> {
  readonly at?: string;
  /**
   * Where the agent can end its conversation so that this is the last of it, and every call in it has its result:
   * neighbours with the same cut stay together. Without one it cannot end here.
   */
  readonly cut?: string;
}

/** What an agent keeps of earlier conversations. Everything here rejects with a Fault. */
export interface Conversations {
  /** Of one directory, or all there are. */
  list(place: Omit<AgentPlace, "cwd"> & { readonly cwd?: string }): Promise<AgentConversation[]>;
  /** undefined: the agent has no such conversation in this directory. */
  history(place: AgentPlace, agentSessionId: string): Promise<AgentHistory | undefined>;
  /** Copies a conversation, up to a cut if one is given, and leaves it as it is. The copy's id, or undefined. */
  fork(
    place: AgentPlace,
    from: { readonly agentSessionId: string; readonly title: string; readonly upTo?: string },
  ): Promise<string | undefined>;
}

export interface AgentHistory {
  readonly title: string;
  readonly items: readonly PastItem[];
}

/** A model of people's choice, MCP servers, a conversation that was had outside Drover. */
export type Lack = "model" | "mcpServers" | "conversations";

/** Code that speaks one protocol. `open` rejects with a Fault and leaves no process behind. */
export interface Driver {
  readonly name: DriverName;
  /**
   * `session`: one process holds the conversation, and its end is a loss. `turn`: every turn has a process of its
   * own that ends when the turn has, so that an idle session holds none. `prompt`: so has every turn, and the process
   * is started with its prompt: `OpenRequest.prompt`; the end of its turn is recorded before `ended` resolves.
   */
  lifetime(preset: Preset): "session" | "turn" | "prompt";
  capabilities(preset: Preset): Capabilities;
  /** What its agent cannot be given: refused before anything is stored. */
  lacks(preset: Preset): readonly Lack[];
  /** Why its agent cannot be given this message with the session's own system text; before anything is stored. */
  refusesPrompt?(
    preset: Preset,
    prompt: Pick<OpenRequest, "system" | "instructions"> & { readonly content: string },
  ): Rejection | undefined;
  /** Tells its agent what was said before, where the agent has no conversation of its own to go on with. */
  readonly replaysTranscript?: true;
  open(request: OpenRequest, host: DriverHost): Promise<AgentConnection>;
  /** Where agents let their conversations be read and copied; then their capability `fork` is true. */
  readonly conversations?: Conversations;
}

export type { AgentAnswer, AgentFact, QueuedMessage };
