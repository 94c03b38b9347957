import type { AccountCarrier, AgentPackage, LoginSigns } from "@drover/core";
import { native, preset } from "./preset.ts";

const passEnv = [
  ...["OPENCODE_API_KEY", "ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "OPENROUTER_API_KEY"],
  ...["OPENCODE_CONFIG", "OPENCODE_CONFIG_DIR"],
];

const login: LoginSigns = {
  env: ["OPENCODE_API_KEY", "ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "OPENROUTER_API_KEY"],
  files: ["$XDG_DATA_HOME/opencode/auth.json", "~/.local/share/opencode/auth.json"],
  remedy: "run `opencode auth login`, or set the key of your model's vendor",
};

/** The key of another vendor is an account with a variable of its own. */
const account: AccountCarrier = {
  group: "opencode",
  env: "OPENCODE_API_KEY",
  login: { home: "~/.local/share", homeEnv: "XDG_DATA_HOME", file: "opencode/auth.json" },
};

const cli: AgentPackage = {
  name: "opencode-ai",
  version: "1.18.33",
  bin: native((platform, arch) => `opencode-${platform}-${arch}/bin/opencode`),
};

const trust = { untrusted: { env: { OPENCODE_DISABLE_PROJECT_CONFIG: "1" } } };

/** By default it edits files and runs commands without asking, even in its planning mode. */
const permission = (rules: { edit: string; bash: string }) => ({
  OPENCODE_PERMISSION: JSON.stringify(rules),
});

export const opencodePresets = [
  preset({
    agent: "opencode",
    name: "OpenCode",
    driver: "jsonl",
    command: "opencode",
    args: ["run", "--format", "json"],
    passEnv,
    modeArgs: { never: ["--auto"] },
    modeEnv: {
      ask: permission({ edit: "deny", bash: "deny" }),
      plan: permission({ edit: "deny", bash: "deny" }),
      acceptEdits: permission({ edit: "allow", bash: "deny" }),
    },
    modelFlag: "-m",
    resume: ["-s", "{sessionId}"],
    forgotten: "Error: Session not found",
    sessionId: ["*", "sessionID"],
    mapper: "opencode",
    package: cli,
    login,
    account,
    trust,
    verified: "opencode 1.18.33: the driver suite, except features it lacks",
  }),
  preset({
    agent: "opencode-acp",
    name: "OpenCode (ACP)",
    driver: "acp",
    command: "opencode",
    args: ["acp"],
    env: permission({ edit: "ask", bash: "ask" }),
    passEnv,
    package: cli,
    login,
    account,
    trust,
    verified: "opencode 1.18.33: turns, live approvals",
  }),
];
