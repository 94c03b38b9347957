import type {
  AgentAnswer,
  AgentExit,
  AgentFact,
  Capabilities,
  ContextEntry,
  DriverName,
  ImageType,
  Lack,
  McpServer,
  ModelOffer,
  OpenToolCall,
  PermissionMode,
  Preset,
  PromptFile,
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
  /**
   * Drover's description of the agent's environment. Goes before `system`, and does not count towards the session's
   * budget.
   */
  readonly context?: string;
  /** Whether git could read a working tree there; false if it did not answer in time. */
  readonly isRepository?: boolean;
  /** The session's own text, to be appended to the agent's system prompt. */
  readonly system?: string;
  /** The text of its instruction file, after `system`: the part that may be shortened. */
  readonly instructions?: string;
  readonly model?: string;
  readonly mcpServers: Readonly<Record<string, McpServer>>;
  /** For agents with their own planning mode; Drover decides what they may do in any case. */
  readonly permissionMode: PermissionMode;
  /** People will approve what this turn changes, so that the agent may change files in its sandbox. */
  readonly isGated?: boolean;
  /** The agent's own conversation to continue. */
  readonly agentSessionId?: string;
  /** The prompt the agent is started with; only if its `lifetime` is `prompt`. */
  readonly prompt?: { readonly turnId: string } & Prompt;
  /** The project's own settings, hooks and instructions may be used. */
  readonly trusted?: boolean;
  /**
   * Grows with every open of a session: distinguishes answers to this server's requests from those to the last one's.
   */
  readonly epoch: number;
  /**
   * Set if the process was started earlier: the same path, from a stored position. If it is gone by now, what it left
   * in its raw log is still recorded before `ended` resolves.
   */
  readonly attach?: {
    readonly process: ProcessRecord;
    readonly pending: SessionRuntime["pending"];
    /** Tool calls that have started and not ended. */
    readonly calls?: readonly OpenToolCall[];
    /** A prompt was being written to it: it is unknown how much of it arrived. */
    readonly isPromptTorn?: true;
    /** Messages sent, or to be sent, during its running turn. */
    readonly steered?: readonly string[];
  };
  readonly startTimeoutMs: number;
  readonly stopGraceMs: number;
  /** Aborts the opening: the driver ends the process and rejects. */
  readonly signal: AbortSignal;
}

/** A person's message, and the text that the agent gets before it. */
export interface Prompt {
  readonly content: string;
  readonly context?: readonly ContextEntry[] | undefined;
  /** Only for agents that take them. */
  readonly images?: readonly PromptImage[] | undefined;
  /** Text files. Agents that take nothing but text get them as part of the message. */
  readonly files?: readonly PromptFile[] | undefined;
}

export interface PromptImage {
  readonly mediaType: ImageType;
  /** Base64. */
  readonly data: string;
}

/** What the engine offers a connection. Calls come in order, one at a time. */
export interface DriverHost {
  /**
   * The process exists: stored before anything is written to it, so that no crash can lose it. If it is ready and was
   * started with its prompt, it has received it. `pid` is the agent's own, the record is of its parent.
   */
  spawned(process: ProcessRecord, pid: number): Promise<void>;
  /** It has answered, if that is before it is open: any later failure is a lost connection. */
  connected?(pid: number): void;
  /** Stores facts with their position, then returns: the driver waits, which creates back-pressure. */
  record(batch: AgentBatch): Promise<void>;
  /** The agent's output cannot be read any further: the end of its turn will not come from here. */
  unreadable(error: unknown): void;
}

export interface AgentBatch {
  readonly facts: readonly AgentFact[];
  /** Raw log bytes accounted for once this batch is stored. */
  readonly position: number;
  /** The agent's conversation, if it is only created with its first turn. */
  readonly agentSessionId?: string;
  /** Requests among the facts as the agent sent them, by request key. */
  readonly raw?: Readonly<Record<string, unknown>>;
}

export type { AgentExit };

/** A live agent. Never throws on its own: `ended` says how it ended, after its last output was recorded. */
export interface AgentConnection {
  readonly pid: number;
  /** Absent until the agent has named its conversation. */
  readonly agentSessionId?: string | undefined;
  readonly memo?: unknown;
  /** Whether its conversation can be loaded again, if the agent says so when it connects. */
  readonly resumes?: boolean | undefined;
  /** Whether it takes images, if the agent says so when it connects. */
  readonly images?: boolean | undefined;
  /** The models it offers, if it lists them when a conversation starts. */
  readonly models?: readonly ModelOffer[] | undefined;
  readonly ended: Promise<AgentExit>;
  /** Everything the agent had written when this connection opened is recorded. */
  readonly caughtUp: Promise<void>;
  /**
   * For a process that lives for one turn: true as soon as its turn's end is recorded, unless it stays for background
   * work. It accepts no further prompt and `ended` follows.
   */
  readonly isOver?: boolean;
  /** Keeps an idle process from ending until disposed: a prompt is about to be sent. */
  keep?(): Disposable;
  /**
   * Resolves when the agent's input has taken all of it. Never called for agents that start with their prompt.
   * `context` comes before the message; a slash command has none.
   */
  prompt(turnId: string, content: string, more?: Omit<Prompt, "content">): Promise<void>;
  /**
   * Holds the running turn open for one more message, and returns the function that delivers it; undefined if the turn
   * has already ended. A message that is delivered twice counts once. Absent if the agent cannot be steered.
   */
  steer?(
    messageId: string,
  ): ((content: string, attached: Pick<Prompt, "images" | "files">) => Promise<void>) | undefined;
  /** Asks the agent to end its turn; the end itself comes as a fact. */
  cancel(turnId: string): Promise<void>;
  /** Resolves when written. An unknown key is ignored: the agent may have continued without it. */
  answer(requestKey: string, answer: AgentAnswer): Promise<void>;
  setModel(model: string): Promise<void>;
  /** Switches the agent to its own mode that corresponds to this one; what it cannot do becomes a notice. */
  setPermissionMode?(mode: PermissionMode): Promise<void>;
  /** Ends the whole process tree and verifies it. */
  stop(): Promise<void>;
  /** Disconnects without ending it: a later server reattaches. */
  detach(): void;
  /** Pauses and continues the process tree while storage is full. */
  pause(): void;
  unpause(): void;
}

/** Code that speaks one protocol. `open` rejects with a Fault and leaves no process behind. */
export interface Driver {
  readonly name: DriverName;
  /**
   * `session`: one process holds the conversation, and its end is a loss. `turn`: every turn has its own process that
   * ends with the turn, so that an idle session holds none. `prompt`: like `turn`, but the process is started with its
   * prompt, `OpenRequest.prompt`, and the end of its turn is recorded before `ended` resolves.
   */
  lifetime(preset: Preset): "session" | "turn" | "prompt";
  capabilities(preset: Preset): Capabilities;
  /** What its agent does not support; requests for it are rejected before anything is stored. */
  lacks(preset: Preset): readonly Lack[];
  /** Why its agent cannot take this message together with the session's system text; before anything is stored. */
  refusesPrompt?(
    preset: Preset,
    prompt: Pick<OpenRequest, "system" | "instructions"> & { readonly content: string },
  ): Rejection | undefined;
  open(request: OpenRequest, host: DriverHost): Promise<AgentConnection>;
  /** For agents whose conversations can be read and copied; then their capability `fork` is true. */
  readonly conversations?: Conversations;
}
