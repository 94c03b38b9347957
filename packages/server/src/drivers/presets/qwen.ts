import type { AgentPackage, LoginSigns } from "@drover/core";
import { preset } from "./preset.ts";

const passEnv = ["OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_MODEL", "DASHSCOPE_API_KEY"];
const account = { env: "OPENAI_API_KEY" };

const login: LoginSigns = {
  env: ["OPENAI_API_KEY", "DASHSCOPE_API_KEY"],
  remedy: "set OPENAI_API_KEY and OPENAI_BASE_URL for your model's vendor",
};

const cli: AgentPackage = {
  name: "@qwen-code/qwen-code",
  version: "0.24.4",
  bin: "@qwen-code/qwen-code/cli-entry.js",
};

/** The only way to keep it from a project's settings, and it leaves out people's own hooks, servers and context, too. */
const trust = { untrusted: { args: ["--safe-mode"] } };

export const qwenPresets = [
  preset({
    agent: "qwen",
    name: "Qwen Code",
    driver: "jsonl",
    command: "qwen",
    args: ["--auth-type", "openai", "-o", "stream-json"],
    passEnv,
    modeArgs: {
      ask: ["--approval-mode", "default"],
      plan: ["--approval-mode", "plan"],
      acceptEdits: ["--approval-mode", "auto-edit"],
      never: ["--approval-mode", "yolo"],
    },
    modelFlag: "-m",
    systemFlag: "--append-system-prompt",
    resume: ["--resume", "{sessionId}"],
    forgotten: "No saved session found with ID",
    sessionId: ["system", "session_id"],
    // It says what Claude Code would say.
    mapper: "claude-print",
    package: cli,
    login,
    account,
    trust,
    verified: "qwen-code 0.24.4: turns, resume, system text, approval modes, what a project brings",
  }),
  preset({
    agent: "qwen-acp",
    name: "Qwen Code (ACP)",
    driver: "acp",
    command: "qwen",
    // Its own default edits files unasked.
    args: ["--acp", "--auth-type", "openai", "--approval-mode", "default"],
    passEnv,
    package: cli,
    login,
    account,
    trust,
    verified: "qwen-code 0.24.4: turns, live approvals, what a project brings",
  }),
];
