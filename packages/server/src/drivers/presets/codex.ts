import type { AccountCarrier, LoginSigns } from "@drover/core";
import { native, preset } from "./preset.ts";

const passEnv = ["OPENAI_API_KEY", "CODEX_API_KEY", "CODEX_HOME"];
const account: AccountCarrier = {
  group: "codex",
  env: "CODEX_API_KEY",
  login: { home: "~/.codex", homeEnv: "CODEX_HOME", file: "auth.json" },
};

const login: LoginSigns = {
  env: ["OPENAI_API_KEY", "CODEX_API_KEY"],
  files: ["$CODEX_HOME/auth.json", "~/.codex/auth.json"],
  certain: true,
  remedy: "run `codex login`, or set CODEX_API_KEY",
};

const targets: Readonly<Record<string, string>> = {
  "linux-x64": "x86_64-unknown-linux-musl",
  "linux-arm64": "aarch64-unknown-linux-musl",
  "darwin-x64": "x86_64-apple-darwin",
  "darwin-arm64": "aarch64-apple-darwin",
};

/** It keeps a list of trusted projects and ignores the settings of all others (0.166.0). */
const trust = {};

export const codexPresets = [
  preset({
    agent: "codex",
    name: "Codex",
    driver: "jsonl",
    command: "codex",
    // Otherwise it retries an unreachable model forever.
    args: ["exec", "--json", "--disable", "unbounded_connection_retries"],
    passEnv,
    nonInteractive: ["--skip-git-repo-check"],
    modeArgs: {
      ask: ["-s", "read-only"],
      plan: ["-s", "read-only"],
      acceptEdits: ["-s", "workspace-write"],
      never: ["-s", "danger-full-access"],
    },
    // It may also write to the directories for temporary files.
    sandboxArgs: ["-s", "workspace-write"],
    modelFlag: "-m",
    resume: ["resume", "{sessionId}"],
    forgotten: "no rollout found for",
    lastArgs: ["-"],
    sessionId: ["thread.started", "thread_id"],
    mapper: "codex",
    package: {
      name: "@openai/codex",
      version: "0.166.0",
      // npm's entry script starts this program, and leaves it running when it is stopped itself.
      bin: native(
        (platform, arch) =>
          `@openai/codex-${platform}-${arch}/vendor/${targets[`${platform}-${arch}`]}/bin/codex`,
      ),
    },
    login,
    account,
    trust,
    verified: "codex-cli 0.166.0: the driver suite, except features it lacks",
  }),
  preset({
    agent: "codex-acp",
    name: "Codex (ACP)",
    driver: "acp",
    command: "codex-acp",
    // By default it runs commands in its sandbox without asking; in read-only mode it asks before leaving the sandbox.
    env: { INITIAL_AGENT_MODE: "read-only", NO_BROWSER: "1" },
    passEnv,
    package: {
      name: "@agentclientprotocol/codex-acp",
      version: "2.6.0",
      bin: "@agentclientprotocol/codex-acp/dist/index.js",
    },
    login,
    account,
    trust,
    verified: "codex-acp 2.6.0: the whole driver suite",
  }),
];
