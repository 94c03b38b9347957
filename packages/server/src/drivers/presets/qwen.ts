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

/** The only way to make it ignore a project's settings; it also ignores people's own hooks, servers and context. */
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
    // It uses Claude Code's output format.
    mapper: "claude-print",
    package: cli,
    login,
    account,
    trust,
    verified: "qwen-code 0.24.4: turns, resume, system text, approval modes, project settings",
  }),
  preset({
    agent: "qwen-acp",
    name: "Qwen Code (ACP)",
    driver: "acp",
    command: "qwen",
    // By default it edits files without asking.
    args: ["--acp", "--auth-type", "openai", "--approval-mode", "default"],
    passEnv,
    package: cli,
    login,
    account,
    trust,
    verified: "qwen-code 0.24.4: turns, live approvals, project settings",
  }),
];
