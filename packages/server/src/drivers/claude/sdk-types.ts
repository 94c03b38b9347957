import type { Readable, Writable } from "node:stream";

/**
 * The part of @anthropic-ai/claude-agent-sdk this driver uses, as declared in `sdk.d.ts` of 0.3.325. The package is
 * installed separately by people who want Claude Code, so it is not there when Drover is compiled.
 */
export interface ClaudeSdk {
  query(params: { prompt: AsyncIterable<SdkUserMessage>; options: SdkOptions }): Query;
}

/** The SDK's reader of stored conversations, which uses its process's environment. */
export interface ConversationsSdk {
  listSessions(options: { dir?: string; includeWorktrees?: boolean }): Promise<SessionInfo[]>;
  getSessionInfo(id: string, options: { dir: string }): Promise<SessionInfo | undefined>;
  /** Undefined if there is no such conversation. */
  getSessionMessages(id: string, options: { dir: string }): Promise<unknown[]>;
  listSubagents(id: string, options: { dir: string }): Promise<string[]>;
  getSubagentMessages(id: string, agentId: string, options: { dir: string }): Promise<unknown[]>;
  forkSession(
    id: string,
    options: { dir: string; title: string; upToMessageId?: string },
  ): Promise<{ sessionId: string }>;
}

export interface SessionInfo {
  readonly sessionId: string;
  readonly summary: string;
  /** Milliseconds since 1970. */
  readonly lastModified: number;
  readonly cwd?: string;
}

export interface Query extends AsyncIterable<unknown> {
  /** Rejects when the process ends before it has answered. */
  initializationResult(): Promise<unknown>;
  interrupt(): Promise<unknown>;
  setModel(model?: string): Promise<void>;
  setMcpServers(servers: Record<string, McpServerConfig>): Promise<McpSetServersResult>;
  close(): void;
}

type ContentBlock =
  | { readonly type: "text"; readonly text: string }
  | {
      readonly type: "image";
      readonly source: { readonly type: "base64"; readonly media_type: string; readonly data: string };
    };

export interface SdkUserMessage {
  readonly type: "user";
  readonly message: { readonly role: "user"; readonly content: string | readonly ContentBlock[] };
  readonly parent_tool_use_id: null;
  /** Returned in the result of the turn that this message started. */
  readonly uuid: string;
}

export interface SdkOptions {
  readonly cwd: string;
  /** The complete environment of the process. */
  readonly env: Record<string, string>;
  readonly pathToClaudeCodeExecutable?: string;
  readonly model?: string;
  readonly permissionMode: "default" | "plan";
  readonly settings: { useAutoModeDuringPlan: boolean };
  readonly includePartialMessages: boolean;
  readonly forwardSubagentText: boolean;
  readonly settingSources: ("user" | "project")[];
  readonly systemPrompt: { type: "preset"; preset: "claude_code"; append: string; snapshot: boolean };
  readonly resume?: string;
  /** For a new conversation; must be a UUID. */
  readonly sessionId?: string;
  readonly canUseTool: CanUseTool;
  readonly spawnClaudeCodeProcess: (options: SpawnOptions) => SpawnedProcess;
}

/** null: no answer is sent. */
export type CanUseTool = (
  toolName: string,
  input: Record<string, unknown>,
  options: { readonly signal: AbortSignal; readonly requestId: string },
) => Promise<PermissionResult | null>;

export type PermissionResult =
  | { behavior: "allow"; updatedInput: Record<string, unknown> }
  | { behavior: "deny"; message: string; interrupt?: boolean };

export interface SpawnOptions {
  readonly command: string;
  readonly args: string[];
  readonly cwd?: string;
  readonly env: Record<string, string | undefined>;
}

type ExitListener = (code: number | null, signal: NodeJS.Signals | null) => void;
type ErrorListener = (error: Error) => void;

export interface SpawnedProcess {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly killed: boolean;
  readonly exitCode: number | null;
  readonly signalCode?: NodeJS.Signals | null;
  kill(signal: NodeJS.Signals): boolean;
  on(event: "exit", listener: ExitListener): void;
  on(event: "error", listener: ErrorListener): void;
  once(event: "exit", listener: ExitListener): void;
  once(event: "error", listener: ErrorListener): void;
  off(event: "exit", listener: ExitListener): void;
  off(event: "error", listener: ErrorListener): void;
}

export type McpServerConfig =
  | { command: string; args: string[]; env?: Record<string, string> }
  | { type: "http"; url: string; headers?: Record<string, string> };

export interface McpSetServersResult {
  /** By server name. */
  readonly errors: Record<string, string>;
}
