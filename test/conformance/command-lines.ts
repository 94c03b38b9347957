// The programs that Drover starts for every turn, through `jsonl` and `text`. They never ask.
import { join } from "node:path";
import type { Capabilities } from "@drover/core";
import { kitAgent } from "../e2e/support.ts";
import { scriptedPrompt } from "../models/script.ts";
import type { HomeRequest } from "./homes/home.ts";
import { programs } from "./programs.ts";
import { commandLines } from "./record-agents.ts";
import type { CommandLineFacts, Limit, Step, Subject } from "./subjects.ts";
import { claudeSettings, codexSettings, geminiSettings, opencodeSettings } from "./trust.ts";

const capabilities: Capabilities = {
  approvals: "none",
  amend: false,
  denyReason: false,
  steer: false,
  images: false,
  resume: true,
  fork: false,
  freshContext: true,
  systemText: "prompt",
  reattach: true,
  heldByMode: true,
  completion: "event",
};

const rateLimit: Limit = {
  fail: { status: 429 },
  code: "RATE_LIMITED",
  retry: { afterMs: 60_000 },
};

/** Its retries wait longer and longer, unless the model's server says how long (1.18.33). */
const atOnce = { "retry-after-ms": "5" };

const forbidden: Step[] = [{ run: "echo x >> notes" }, { say: "I may not." }];

/** The same for an agent that does not offer its shell tool in this mode: the model calls it anyway. */
const notOffered = (name: string): Step[] => [
  { call: { name, input: { command: "echo x >> notes", description: "A scripted command" } } },
  { say: "I may not." },
];

interface Peculiar extends Partial<Subject> {
  memory: string;
  commandLine: CommandLineFacts;
  /** Its environment, in addition to that of the recordings. */
  env?: Record<string, string>;
  /** Additional environment for an account with limits. */
  accountEnv?: Record<string, string>;
}

function recorded(name: string, { commandLine, env, accountEnv = {}, ...peculiar }: Peculiar): Subject {
  const line = commandLines[name];
  if (!line) throw new Error(`${name} is not recorded`);
  const { dialect, usageLimit } = line;
  const home = async (request: HomeRequest) => ({ env: { ...(await line.home(request)).env, ...env } });
  const common = { name, dialect, home, capabilities, afterDenial: "end_turn", limit: rateLimit } as const;
  return {
    ...{ ...common, lacks: [], prompt: (steps) => scriptedPrompt(...steps) },
    ...peculiar,
    commandLine: { usedUp: { fail: usageLimit, env: accountEnv }, ...commandLine },
  };
}

/** The steps as a prompt for `test/agents/text-steps.mjs`. */
const textLines = ({ say, run, fail }: Step): string[] => [
  ...(say === undefined ? [] : [`say ${say}`]),
  ...(run === undefined ? [] : [`run ${run}`]),
  ...(fail === undefined ? [] : ["exit 1"]),
];

export const commandLineSubjects: readonly Subject[] = [
  recorded("codex", {
    memory: join(".codex", "sessions"),
    projectSettings: codexSettings,
    ownTrust: (project) => ({
      file: join(".codex", "config.toml"),
      line: `[projects.${JSON.stringify(project)}]\ntrust_level = "trusted"\n`,
    }),
    commandLine: {
      givesUpWithinMs: 90_000,
      forbidden,
      terminated: "AGENT_CRASHED",
      distrust: true,
    },
  }),
  recorded("gemini", {
    memory: join(".gemini", "tmp"),
    projectSettings: geminiSettings,
    // By default it asks a model which model to use.
    env: { GEMINI_MODEL: "gemini-2.5-pro" },
    commandLine: {
      givesUpWithinMs: 330_000,
      forbidden: notOffered("run_shell_command"),
      // On SIGTERM it exits with 0 (0.61.0).
      terminated: "NO_COMPLETION",
      distrust: true,
    },
  }),
  recorded("opencode", {
    memory: join(".local", "share", "opencode"),
    projectSettings: opencodeSettings,
    // Its optional package for this is not installed.
    entry: (installed) => ({ command: programs.opencode(installed).command }),
    limit: { ...rateLimit, fail: { status: 429, headers: atOnce } },
    isSlow: true,
    commandLine: {
      givesUpWithinMs: 240_000,
      forbidden: notOffered("bash"),
      terminated: "AGENT_CRASHED",
      usedUp: { fail: { status: 429, type: "insufficient_quota", headers: atOnce }, env: {} },
    },
  }),
  recorded("claude-print", {
    memory: join(".claude", "projects"),
    projectSettings: claudeSettings,
    capabilities: { ...capabilities, systemText: "system" },
    // As root it runs nothing without asking, except in a sandbox.
    env: { IS_SANDBOX: "1" },
    // An API key has no usage windows.
    accountEnv: { ANTHROPIC_API_KEY: "", CLAUDE_CODE_OAUTH_TOKEN: "made-up" },
    commandLine: {
      givesUpWithinMs: 60_000,
      forbidden,
      systemFlag: "--append-system-prompt",
      terminated: "AGENT_CRASHED",
    },
  }),
  {
    name: "text",
    entry: () => ({ ...kitAgent("text-steps.mjs"), name: "Text", driver: "text" }),
    capabilities: { ...capabilities, resume: false, heldByMode: false, completion: "exit" },
    afterDenial: "end_turn",
    lacks: ["runs", "auth", "overloaded", "drop", "forget"],
    commandLine: { terminated: "AGENT_CRASHED" },
    prompt: (steps) => steps.flatMap(textLines).join("\n"),
  },
];
