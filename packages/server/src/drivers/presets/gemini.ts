import type { AccountCarrier, AgentPackage, LoginSigns } from "@drover/core";
import { preset } from "./preset.ts";

const passEnv = [
  ...["GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_GEMINI_BASE_URL", "GOOGLE_GENAI_USE_VERTEXAI"],
  ...["GOOGLE_CLOUD_PROJECT", "GOOGLE_CLOUD_LOCATION", "GOOGLE_APPLICATION_CREDENTIALS"],
];
const account: AccountCarrier = {
  group: "gemini",
  env: "GEMINI_API_KEY",
  login: {
    home: "~/.gemini",
    file: "oauth_creds.json",
    token: { accessToken: ["access_token"], refreshToken: ["refresh_token"], expiresAt: ["expiry_date"] },
  },
};
// Otherwise it restarts itself with more memory, and a signal reaches the wrong process of the two.
const env = { GEMINI_CLI_NO_RELAUNCH: "true" };

const login: LoginSigns = {
  env: ["GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_APPLICATION_CREDENTIALS"],
  files: ["~/.gemini/oauth_creds.json", "~/.config/gcloud/application_default_credentials.json"],
  certain: true,
  remedy: "run `gemini` once and log in, or set GEMINI_API_KEY",
};

const cli: AgentPackage = {
  name: "@google/gemini-cli",
  version: "0.61.0",
  bin: "@google/gemini-cli/bundle/gemini.js",
};

const trust = { trusted: { env: { GEMINI_CLI_TRUST_WORKSPACE: "true" } } };

export const geminiPresets = [
  preset({
    agent: "gemini",
    name: "Gemini CLI",
    driver: "jsonl",
    command: "gemini",
    args: ["-o", "stream-json"],
    env,
    passEnv,
    // In an untrusted directory it ends at once (exit 55). With this it continues but ignores the project's settings.
    nonInteractive: ["--skip-trust"],
    modeArgs: {
      ask: ["--approval-mode", "default"],
      plan: ["--approval-mode", "plan"],
      acceptEdits: ["--approval-mode", "auto_edit"],
      never: ["--approval-mode", "yolo"],
    },
    modelFlag: "-m",
    resume: ["--resume", "{sessionId}"],
    sessionId: ["init", "session_id"],
    mapper: "gemini",
    package: cli,
    login,
    account,
    trust,
    verified: "gemini-cli 0.61.0: the driver suite, except features it lacks",
  }),
  preset({
    agent: "gemini-acp",
    name: "Gemini CLI (ACP)",
    driver: "acp",
    command: "gemini",
    args: ["--acp"],
    env,
    passEnv,
    package: cli,
    login,
    account,
    trust,
    verified: "gemini-cli 0.61.0: turns, live approvals, interrupts, project settings",
  }),
];
