import type { AgentPackage, LoginSigns } from "@drover/core";
import { native, preset } from "./preset.ts";

const passEnv = [
  ...["COPILOT_GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN", "COPILOT_HOME", "COPILOT_MODEL", "COPILOT_OFFLINE"],
  ...["COPILOT_PROVIDER_BASE_URL", "COPILOT_PROVIDER_TYPE", "COPILOT_PROVIDER_API_KEY"],
];
const account = { env: "COPILOT_GITHUB_TOKEN" };

const login: LoginSigns = {
  env: ["COPILOT_GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN", "COPILOT_PROVIDER_BASE_URL"],
  remedy: "run `copilot login`, or set COPILOT_GITHUB_TOKEN",
};

const cli: AgentPackage = {
  name: "@github/copilot",
  version: "1.0.102",
  bin: native((platform, arch) => `@github/copilot-${platform}-${arch}/copilot`),
};

export const copilotPresets = [
  preset({
    agent: "copilot",
    name: "GitHub Copilot",
    driver: "jsonl",
    command: "copilot",
    args: ["--output-format", "json", "--no-auto-update"],
    passEnv,
    nonInteractive: ["--no-ask-user"],
    // Without a terminal to ask on, it denies everything that is not allowed here.
    modeArgs: {
      ask: [],
      plan: ["--mode", "plan"],
      acceptEdits: ["--allow-tool=write"],
      never: ["--allow-all-tools"],
    },
    modelFlag: "--model",
    resume: ["--resume={sessionId}"],
    forgotten: "No session, task, or name matched",
    sessionId: ["result", "sessionId"],
    text: [{ type: "assistant.message_delta", at: ["data", "deltaContent"] }],
    done: [{ type: "result", at: ["exitCode"], is: 0 }],
    failed: [{ type: "result", at: ["exitCode"], is: 1 }],
    error: [{ type: "session.error", at: ["data", "message"], status: ["data", "statusCode"] }],
    package: cli,
    login,
    account,
    // It uses hooks and servers only in folders on its own list.
    trust: { untrusted: { args: ["--no-custom-instructions"] } },
    verified: "copilot 1.0.102 with a custom model: turns, resume, modes, failures, project settings",
  }),
  preset({
    agent: "copilot-acp",
    name: "GitHub Copilot (ACP)",
    driver: "acp",
    command: "copilot",
    args: ["--acp", "--no-auto-update"],
    passEnv,
    package: cli,
    login,
    account,
    verified: "copilot 1.0.102 with a custom model: turns, live approvals",
  }),
];
