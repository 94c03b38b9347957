import { createHash, randomUUID } from "node:crypto";
import type { OpenRequest, Prompt } from "../../ports.ts";
import { systemAppend } from "../system-text.ts";
import type {
  CanUseTool,
  McpServerConfig,
  SdkOptions,
  SdkUserMessage,
  SpawnedProcess,
  SpawnOptions,
} from "./sdk-types.ts";

export interface OptionParts {
  readonly request: OpenRequest;
  readonly agentSessionId: string;
  readonly cli: string | undefined;
  readonly canUseTool: CanUseTool;
  readonly spawn: (options: SpawnOptions) => SpawnedProcess;
}

/**
 * The agent asks Drover for everything it would ask a person: Drover's permission host decides modes, never one of the
 * agent's flags; the agent's own plan mode only makes it plan. The snapshot is off, otherwise a resumed conversation
 * keeps its first system prompt forever. MCP servers are sent after the start: their secrets do not belong on the
 * command line.
 */
export function sdkOptions({ request, agentSessionId, cli, canUseTool, spawn }: OptionParts): SdkOptions {
  const { cwd, env, model, trusted, isRepository } = request;
  return {
    cwd,
    env: { ...defaults, ...(isRepository === false ? withoutGit : {}), ...env },
    ...(cli === undefined ? {} : { pathToClaudeCodeExecutable: cli }),
    ...(model === undefined ? {} : { model }),
    permissionMode: request.permissionMode === "plan" ? "plan" : "default",
    // Otherwise a model of the vendor decides about commands during planning, and Drover is not asked (2.1.325).
    settings: { useAutoModeDuringPlan: false },
    includePartialMessages: true,
    forwardSubagentText: true,
    settingSources: trusted ? ["project", "user"] : ["user"],
    systemPrompt: { type: "preset", preset: "claude_code", append: systemAppend(request), snapshot: false },
    ...(request.agentSessionId === undefined ? { sessionId: agentSessionId } : { resume: agentSessionId }),
    canUseTool,
    spawnClaudeCodeProcess: spawn,
  };
}

const defaults = {
  CLAUDE_CODE_ENABLE_TODO_TOOLS: "1",
  // The default is ten, even for an invalid key: minutes in which nothing seems to happen.
  CLAUDE_CODE_MAX_RETRIES: "3",
  // A turn starts without a server that takes longer, and people are notified.
  MCP_TIMEOUT: "10000",
  // Whatever prevents the start is then reported on stdout, not only on stderr (2.1.325).
  CLAUDE_CODE_STARTUP_FAILURE_RESULTS: "1",
};

/** Otherwise it inspects the repository itself before the turn, and a hanging git blocks it forever (2.1.325). */
const withoutGit = { CLAUDE_CODE_DISABLE_GIT_INSTRUCTIONS: "1" };

/** Never reuse the id of an earlier prompt: the agent ignores messages its conversation already holds (2.1.325). */
export function makeUserPrompt(
  text: string,
  { uuid = randomUUID(), images = [] }: { uuid?: string; images?: Prompt["images"] } = {},
): SdkUserMessage {
  const blocks = images.map(({ mediaType, data }) => ({
    type: "image" as const,
    source: { type: "base64" as const, media_type: mediaType, data },
  }));
  const content = blocks.length === 0 ? text : [...blocks, { type: "text" as const, text }];
  return {
    type: "user",
    message: { role: "user", content },
    parent_tool_use_id: null,
    uuid,
  };
}

/** The same id for the same message: the agent accepts a message sent twice under one id only once (2.1.325). */
export function steerUuid(messageId: string): string {
  const hex = createHash("sha256").update(messageId).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

export function mcpServers(wanted: OpenRequest["mcpServers"]): Record<string, McpServerConfig> {
  const servers = Object.entries(wanted).map(([name, server]): [string, McpServerConfig] => [
    name,
    "command" in server ? stdioServer(server) : httpServer(server),
  ]);
  return Object.fromEntries(servers);
}

type Wanted = OpenRequest["mcpServers"][string];

const stdioServer = ({ command, args, env }: Extract<Wanted, { command: string }>): McpServerConfig => ({
  command,
  args: args ?? [],
  ...(env ? { env } : {}),
});

const httpServer = ({ url, headers }: Extract<Wanted, { url: string }>): McpServerConfig => ({
  type: "http",
  url,
  ...(headers ? { headers } : {}),
});
