import type { AccountCarrier, AgentPackage, LoginSigns } from "@drover/core";
import { native, preset } from "./preset.ts";

const passEnv = ["ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "CLAUDE_CODE_OAUTH_TOKEN"];
const oauth = (key: string) => ["claudeAiOauth", key];
/** All of them use one login, and one directory with conversations. */
const account: AccountCarrier = {
  group: "claude",
  env: "CLAUDE_CODE_OAUTH_TOKEN",
  login: {
    home: "~/.claude",
    homeEnv: "CLAUDE_CONFIG_DIR",
    file: ".credentials.json",
    token: {
      accessToken: oauth("accessToken"),
      refreshToken: oauth("refreshToken"),
      expiresAt: oauth("expiresAt"),
    },
  },
};

const sdk: AgentPackage = { name: "@anthropic-ai/claude-agent-sdk", version: "0.3.325" };
const program = native((platform, arch) => `${sdk.name}-${platform}-${arch}/claude`);

const login: LoginSigns = {
  env: ["ANTHROPIC_API_KEY", "CLAUDE_CODE_OAUTH_TOKEN"],
  files: ["$CLAUDE_CONFIG_DIR/.credentials.json", "~/.claude/.credentials.json"],
  certain: true,
  remedy: "run `claude` once and log in, or set ANTHROPIC_API_KEY",
  program,
};

/** Otherwise a model of the vendor decides about commands during planning, and Drover is not asked (0.99.0). */
const adapterOptions = (options: Readonly<Record<string, unknown>>) => ({
  claudeCode: { options: { settings: { useAutoModeDuringPlan: false }, ...options } },
});

export const claudePresets = [
  preset({
    agent: "claude",
    name: "Claude Code",
    driver: "claude",
    command: "claude",
    passEnv,
    package: sdk,
    login,
    account,
    verified: "Agent SDK 0.3.325 with Claude Code 2.1.325: the whole driver suite",
  }),
  preset({
    agent: "claude-code",
    name: "Claude Code (ACP)",
    driver: "acp",
    command: "claude-agent-acp",
    systemVia: "meta",
    passEnv,
    package: {
      name: "@agentclientprotocol/claude-agent-acp",
      version: "0.99.0",
      bin: "@agentclientprotocol/claude-agent-acp/dist/index.js",
    },
    login,
    account,
    trust: {
      trusted: { meta: adapterOptions({}) },
      untrusted: { meta: adapterOptions({ settingSources: ["user"] }) },
    },
    verified: "claude-agent-acp 0.99.0: the whole driver suite",
  }),
  preset({
    agent: "claude-print",
    name: "Claude Code (print)",
    driver: "jsonl",
    command: "claude",
    // A resumed conversation keeps the system text of its first turn unless its snapshot is off.
    args: [
      ...["--output-format", "stream-json", "--verbose", "--include-partial-messages"],
      ...["--system-prompt-snapshot", "off"],
    ],
    // The default is ten, even for an invalid key: three minutes in which nothing seems to happen.
    env: { CLAUDE_CODE_MAX_RETRIES: "3" },
    passEnv,
    nonInteractive: ["--print", "--permission-prompts", "none"],
    modeArgs: {
      ask: ["--permission-mode", "default"],
      plan: ["--permission-mode", "plan"],
      acceptEdits: ["--permission-mode", "acceptEdits"],
      never: ["--permission-mode", "bypassPermissions"],
    },
    modelFlag: "--model",
    systemFlag: "--append-system-prompt",
    resume: ["--resume", "{sessionId}"],
    sessionId: ["system", "session_id"],
    mapper: "claude-print",
    package: { ...sdk, bin: program },
    login,
    account,
    trust: { untrusted: { args: ["--setting-sources", "user"] } },
    verified: "Claude Code 2.1.325: the driver suite, except features it lacks; it refuses `never` to root",
  }),
];
