import type { LoginSigns } from "@drover/core";
import { native, preset } from "./preset.ts";

const passEnv = ["OPENAI_API_KEY", "CODEX_API_KEY", "CODEX_HOME"];
const account = { env: "CODEX_API_KEY" };

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

/** It keeps a list of the projects it trusts, and heeds the settings of no other (0.166.0). */
const trust = {};

export const codexPresets = [
  preset({
    agent: "codex",
    name: "Codex",
    driver: "jsonl",
    command: "codex",
    // A model that cannot be reached would be tried for ever.
    args: ["exec", "--json", "--disable", "unbounded_connection_retries"],
    passEnv,
    nonInteractive: ["--skip-git-repo-check"],
    modeArgs: {
      ask: ["-s", "read-only"],
      plan: ["-s", "read-only"],
      acceptEdits: ["-s", "workspace-write"],
      never: ["-s", "danger-full-access"],
    },
    modelFlag: "-m",
    resume: ["resume", "{sessionId}"],
    forgotten: "no rollout found for",
    lastArgs: ["-"],
    sessionId: ["thread.started", "thread_id"],
    mapper: "codex",
    package: {
      name: "@openai/codex",
      version: "0.166.0",
      // npm's own entry starts this one, and leaves it behind when it is ended.
      bin: native(
        (platform, arch) =>
          `@openai/codex-${platform}-${arch}/vendor/${targets[`${platform}-${arch}`]}/bin/codex`,
      ),
    },
    login,
    account,
    trust,
    verified: "codex-cli 0.166.0: the driver suite, but for what it lacks",
  }),
  preset({
    agent: "codex-acp",
    name: "Codex (ACP)",
    driver: "acp",
    command: "codex-acp",
    // Its own default runs commands unasked inside its sandbox; read-only, one that wants out of it is asked about.
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
