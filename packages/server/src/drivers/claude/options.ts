import { createHash, randomUUID } from "node:crypto";
import type { OpenRequest } from "../../ports.ts";
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
 * The agent asks Drover for everything it would ask a person: modes are decided by Drover's permission host, never by
 * a flag of the agent; its own plan mode only makes it plan. The snapshot is off, else a resumed conversation keeps
 * its first system prompt for ever. MCP servers are told after the start: their secrets have no place in an argument
 * list.
 */
export function sdkOptions({ request, agentSessionId, cli, canUseTool, spawn }: OptionParts): SdkOptions {
  const { cwd, env, model, trusted, isRepository } = request;
  return {
    cwd,
    env: { ...defaults, ...(isRepository === false ? withoutGit : {}), ...env },
    ...(cli === undefined ? {} : { pathToClaudeCodeExecutable: cli }),
    ...(model === undefined ? {} : { model }),
    permissionMode: request.permissionMode === "plan" ? "plan" : "default",
    // Else a model of its vendor decides about commands while it plans, and nobody here is asked (2.1.325).
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
  // Its own default is ten, also for a key that is wrong: minutes in which nothing seems to happen.
  CLAUDE_CODE_MAX_RETRIES: "3",
  // A turn begins without a server that takes longer, and people are told.
  MCP_TIMEOUT: "10000",
  // Whatever keeps it from starting is then told on its output, not on stderr alone (2.1.325).
  CLAUDE_CODE_STARTUP_FAILURE_RESULTS: "1",
};

/** Else it looks at the repository itself before the turn begins, and waits for a git that hangs for ever (2.1.325). */
const withoutGit = { CLAUDE_CODE_DISABLE_GIT_INSTRUCTIONS: "1" };

/** Never the id of an earlier prompt: the agent ignores what its conversation holds already (2.1.325). */
export function makeUserPrompt(content: string, uuid: string = randomUUID()): SdkUserMessage {
  return {
    type: "user",
    message: { role: "user", content },
    parent_tool_use_id: null,
    uuid,
  };
}

/** The same for the same message: the agent takes what it is given twice under one id once (2.1.325). */
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
