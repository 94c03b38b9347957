import type {
  AgentAnswer,
  AgentExit,
  AgentFact,
  Capabilities,
  ContextEntry,
  DriverName,
  Lack,
  McpServer,
  ModelOffer,
  OpenToolCall,
  PermissionMode,
  Preset,
  Rejection,
} from "@drover/core";
import type { Conversations } from "./conversations.ts";
import type { ProcessRecord, SessionRuntime } from "./store/session-row.ts";

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
  /** Whether git could read a working tree there; false when it did not answer in time. */
  readonly isRepository?: boolean;
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
  readonly prompt?: { readonly turnId: string } & Prompt;
  /** The project may bring settings, hooks and instructions of its own. */
  readonly trusted?: boolean;
  /** Grows with every open of a session: tells answers to this server's requests from the last one's. */
  readonly epoch: number;
  /**
   * Set when a process was started before: the same path, from a stored position. If it is gone meanwhile, what it
   * left in its raw log is still recorded before `ended` tells so.
   */
  readonly attach?: {
    readonly process: ProcessRecord;
    readonly pending: SessionRuntime["pending"];
    /** Tool calls that have begun and not ended. */
    readonly calls?: readonly OpenToolCall[];
    /** A prompt was on its way to it: nobody knows how much of it arrived. */
    readonly isPromptTorn?: true;
    /** Messages it is told, or has been told, in its running turn. */
    readonly steered?: readonly string[];
  };
  readonly startTimeoutMs: number;
  readonly stopGraceMs: number;
  /** Given up on while still opening: the driver ends the process and rejects. */
  readonly signal: AbortSignal;
}

/** A person's message, and what the agent is told before it. */
export interface Prompt {
  readonly content: string;
  readonly context?: readonly ContextEntry[] | undefined;
}

/** What the engine offers a connection. Calls come in order, one at a time. */
export interface DriverHost {
  /**
   * The process exists: stored before anything is written to it, so that no crash can lose it. One that is ready and
   * was started with its prompt has it. `pid` is the agent's own, the record is of its parent.
   */
  spawned(process: ProcessRecord, pid: number): Promise<void>;
  /** It has answered, where that is before it is open: what fails from here on is a connection that was lost. */
  connected?(pid: number): void;
  /** Stores facts with the position they came from, then returns: the driver waits, which is the back-pressure. */
  record(batch: AgentBatch): Promise<void>;
  /** The agent's output cannot be read any further: no end of its turn will come from here. */
  unreadable(error: unknown): void;
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

export type { AgentExit };

/** A live agent. Never throws on its own: `ended` says how it ended, after its last output was recorded. */
export interface AgentConnection {
  readonly pid: number;
  /** Absent while the agent has not named its conversation. */
  readonly agentSessionId?: string | undefined;
  readonly memo?: unknown;
  /** Whether its conversation can be loaded again, where the agent says so when it connects. */
  readonly resumes?: boolean | undefined;
  /** What it offers, where it says so when a conversation begins. */
  readonly models?: readonly ModelOffer[] | undefined;
  readonly ended: Promise<AgentExit>;
  /** Everything the agent had said when this connection opened is recorded. */
  readonly caughtUp: Promise<void>;
  /**
   * Of a process that lives for a turn: true as soon as its turn's end is recorded, unless it stays for background
   * work. It takes no further prompt and `ended` follows.
   */
  readonly isOver?: boolean;
  /** Keeps an idle process from ending until disposed: a prompt is on its way to it. */
  keep?(): Disposable;
  /**
   * Resolves when the agent's input took all of it. Never called where the agent starts with its prompt. `context` is
   * told before the message; a slash command has none.
   */
  prompt(turnId: string, content: string, context?: Prompt["context"]): Promise<void>;
  /**
   * Holds the running turn open for one more message, and answers how it is handed over; undefined when the turn has
   * ended already. A message that is handed over twice is told once. Absent where an agent cannot be steered.
   */
  steer?(messageId: string): ((content: string) => Promise<void>) | undefined;
  /** Asks the agent to end its turn; the end itself comes as a fact. */
  cancel(turnId: string): Promise<void>;
  /** Resolves when written. An unknown key is ignored: the agent may have gone on without it. */
  answer(requestKey: string, answer: AgentAnswer): Promise<void>;
  setModel(model: string): Promise<void>;
  /** Puts the agent into the mode of its own that goes with this one; what it cannot do becomes a notice. */
  setPermissionMode?(mode: PermissionMode): Promise<void>;
  /** Ends the whole process tree and proves it. */
  stop(): Promise<void>;
  /** Lets go without ending it: a later server re-attaches. */
  detach(): void;
  /** Stops and continues the process tree while storage is full. */
  pause(): void;
  unpause(): void;
}

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
  /** What its agent cannot be given; what people ask for all the same is refused before anything is stored. */
  lacks(preset: Preset): readonly Lack[];
  /** Why its agent cannot be given this message with the session's own system text; before anything is stored. */
  refusesPrompt?(
    preset: Preset,
    prompt: Pick<OpenRequest, "system" | "instructions"> & { readonly content: string },
  ): Rejection | undefined;
  open(request: OpenRequest, host: DriverHost): Promise<AgentConnection>;
  /** Where agents let their conversations be read and copied; then their capability `fork` is true. */
  readonly conversations?: Conversations;
}
