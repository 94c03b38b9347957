// Every agent that the behaviours are checked with, and how they differ, as data.
import { join } from "node:path";
import type { Capabilities, FaultCode, Retry } from "@drover/core";
import { anthropic } from "../models/anthropic.ts";
import type { Dialect } from "../models/model.ts";
import { type Failure, type Step as ModelStep, scriptedPrompt } from "../models/script.ts";
import { agents, type ConformanceAgent } from "./agents.ts";
import { commandLineSubjects } from "./command-lines.ts";
import type { AgentHome, HomeRequest } from "./homes/home.ts";
import { claudeSettings, type ProjectSettings } from "./trust.ts";

export interface Ask {
  question: string;
  options: string[];
  /** Several options may be selected. */
  several?: true;
}

/** One thing that an agent should do, whatever makes it do so. */
export type Step = Pick<ModelStep, "say" | "run" | "write" | "call" | "fail" | "drop"> & {
  /** Questions asked together. */
  asks?: Ask[];
  /** Several commands at once. */
  runs?: string[];
};

export interface Subject {
  /** Its name in drover.yaml. */
  name: string;
  /** The model interface it speaks; undefined if it needs no model. */
  dialect?: Dialect;
  /** Its drover.yaml entry; undefined if it has a shipped preset. */
  entry?(installed: string, modelUrl: string): object;
  /** Its HOME and environment, on top of the shipped program and arguments. */
  home?(request: HomeRequest): Promise<AgentHome>;
  /** Variables for its server, such as settings that apply to every start. */
  serverEnv?: Record<string, string>;
  /** What its sessions must declare. */
  capabilities: Capabilities;
  /** How a turn ends after a denied command: some agents let the model continue, some stop. */
  afterDenial: "end_turn" | "cancelled";
  /** The model failure that it recognizes as a limit, and how Drover reports it. */
  limit?: Limit;
  /** Only for programs that are started for every turn. */
  commandLine?: CommandLineFacts;
  /** Where it keeps its conversations, in its HOME. */
  memory?: string;
  /** Prepares its HOME so that it can load a conversation right after it began. */
  beforeLoad?(home: string): Promise<void>;
  /** Project settings that it follows. */
  projectSettings?: ProjectSettings;
  /** It follows them only if its own list has the project: the line to add to a file in its HOME. */
  ownTrust?(project: string): { file: string; line: string };
  /** It takes seconds to start, so it skips what Drover does the same way for all agents of its driver. */
  isSlow?: true;
  /** Steps it cannot take, and failures that it does not distinguish from others. */
  lacks: readonly ("ask" | "ask several" | "runs" | "auth" | "overloaded" | "drop" | "forget")[];
  /** The prompt that makes it take these steps. */
  prompt(steps: readonly Step[]): string;
}

export interface Limit {
  fail: Failure;
  code: FaultCode;
  retry: Retry;
}

/** A program that is started with a prompt, never asks, and exits. */
export interface CommandLineFacts {
  /** Steps that do nothing in a mode that requires approvals; undefined if it ignores modes. */
  forbidden?: readonly Step[];
  /** The argument for the system text; without one, the text is in the prompt. */
  systemFlag?: string;
  /** How a turn ends if its program gets SIGTERM. */
  terminated: FaultCode;
  /** The failure that means an exhausted account, and the environment for it. */
  usedUp?: { fail: Failure; env: Record<string, string> };
  /** The longest time it retries an unreachable model by default. */
  givesUpWithinMs?: number;
  /** It refuses an untrusted directory if the flag against that is removed. */
  distrust?: true;
}

/** For an agent over ACP that cannot change its system prompt. */
export const acpCapabilities: Capabilities = {
  approvals: "live",
  amend: false,
  denyReason: false,
  steer: false,
  images: true,
  resume: true,
  fork: false,
  freshContext: false,
  systemText: "prompt",
  reattach: true,
  heldByMode: true,
  completion: "event",
};

function demoLines({ say, asks = [], run, fail }: Step): string[] {
  return [
    ...(say === undefined ? [] : [`say ${say}`]),
    ...(run === undefined ? [] : [`run ${run}`]),
    ...asks.map(({ question, options }) => `ask ${[question, ...options].join(" | ")}`),
    ...(fail === undefined ? [] : ["limit 3600"]),
  ];
}

function modelStep({ asks, runs, ...step }: Step): ModelStep {
  if (asks) {
    const questions = asks.map(({ question, options, several = false }) => ({
      ...{ question, header: "Choice", multiSelect: several },
      options: options.map((label) => ({ label, description: `Choose ${label}` })),
    }));
    return { ...step, call: { name: "AskUserQuestion", input: { questions } } };
  }
  if (runs) {
    const calls = runs.map((command) => ({
      name: "Bash",
      input: { command, description: "One of several" },
    }));
    return { ...step, calls };
  }
  return step;
}

const modelPrompt = (steps: readonly Step[]) => scriptedPrompt(...steps.map(modelStep));

/** A limit without a reset time, so another account is worth trying. */
const tooMany: Limit = { fail: { status: 429 }, code: "USAGE_LIMIT", retry: "other-account" };

const claudeMemory = join(".claude", "projects");

const thirdParty = ({ name, dialect, afterDenial, entry }: ConformanceAgent): Subject => ({
  ...{
    name,
    dialect,
    afterDenial,
    entry,
    capabilities: acpCapabilities,
    limit: tooMany,
    lacks: [],
    prompt: modelPrompt,
  },
  memory: claudeMemory,
  ...peculiar[name],
});

const peculiar: Record<string, Partial<Subject>> = {
  // It reports both only in text, with an unspecific failure (0.99.0).
  "claude-agent-acp": {
    capabilities: { ...acpCapabilities, systemText: "system" },
    lacks: ["overloaded", "drop"],
    projectSettings: claudeSettings,
  },
  "codex-acp": {
    lacks: ["ask", "ask several", "runs", "overloaded", "drop"],
    // It reports any other 429 only in its text, as if the turn had succeeded (2.6.0).
    limit: { ...tooMany, fail: { status: 429, type: "usage_limit_reached" } },
    memory: ".codex",
  },
};

export const subjects: readonly Subject[] = [
  {
    name: "demo",
    capabilities: { ...acpCapabilities, systemText: "system" },
    afterDenial: "end_turn",
    limit: tooMany,
    memory: join(".local", "state", "drover-demo"),
    lacks: ["ask several", "runs", "auth", "overloaded", "drop"],
    prompt: (steps) => steps.flatMap(demoLines).join("\n"),
  },
  ...agents.map(thirdParty),
  {
    name: "claude",
    dialect: anthropic,
    capabilities: {
      ...acpCapabilities,
      amend: true,
      denyReason: true,
      steer: true,
      fork: true,
      freshContext: true,
      systemText: "system",
    },
    afterDenial: "end_turn",
    // With an API key, a limit is the server's; subscriptions have windows.
    limit: { fail: { status: 429 }, code: "RATE_LIMITED", retry: { afterMs: 60_000 } },
    memory: claudeMemory,
    projectSettings: claudeSettings,
    lacks: [],
    entry: (_installed, modelUrl) => ({
      env: {
        ANTHROPIC_API_KEY: "made-up",
        ANTHROPIC_BASE_URL: modelUrl,
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
        CLAUDE_CODE_MAX_RETRIES: "1",
      },
    }),
    prompt: modelPrompt,
  },
  ...commandLineSubjects,
];
