import type { LoginSigns } from "@drover/core";
import { preset } from "./preset.ts";

const passEnv = ["CURSOR_API_KEY"];
const account = { env: "CURSOR_API_KEY" };
const login: LoginSigns = {
  env: ["CURSOR_API_KEY"],
  remedy: "run `cursor-agent login`, or set CURSOR_API_KEY",
};

export const cursorPresets = [
  preset({
    agent: "cursor-agent",
    name: "Cursor",
    driver: "jsonl",
    command: "cursor-agent",
    args: ["--output-format", "stream-json"],
    passEnv,
    nonInteractive: ["--print"],
    modeArgs: { ask: ["--mode", "ask"], plan: ["--mode", "plan"], never: ["--force"] },
    modelFlag: "--model",
    resume: ["--resume", "{sessionId}"],
    sessionId: ["system", "session_id"],
    mapper: "claude-print",
    login,
    account,
    verified: "nothing yet: it is not on npm and needs Cursor's servers",
  }),
  preset({
    agent: "cursor-acp",
    name: "Cursor (ACP)",
    driver: "acp",
    command: "cursor-agent",
    args: ["acp"],
    passEnv,
    login,
    account,
  }),
];
