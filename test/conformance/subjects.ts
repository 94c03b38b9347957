// Every agent that the behaviours are held against, through its driver. What they differ in stands here as data.
import { join } from "node:path";
import type { Capabilities, FaultCode, Retry } from "@drover/core";
import { anthropic } from "../models/anthropic.ts";
import type { Dialect } from "../models/model.ts";
import { type Failure, type Step as ModelStep, scriptedPrompt } from "../models/script.ts";
import { agents, type ConformanceAgent } from "./agents.ts";
import { commandLineSubjects } from "./command-lines.ts";
import type { AgentHome, HomeRequest } from "./homes/home.ts";
import { type Brought, claudeBrings } from "./trust.ts";

export interface Ask {
  question: string;
  options: string[];
  /** More than one option may be chosen. */
  several?: true;
}

/** One thing that an agent is to do, whatever makes it do so. */
export type Step = Pick<ModelStep, "say" | "run" | "call" | "fail" | "drop"> & {
  /** Questions at once. */
  asks?: Ask[];
  /** Several commands at once. */
  runs?: string[];
};

export interface Subject {
  /** Its name in drover.yaml. */
  name: string;
  /** The model interface it speaks; none: it needs no model. */
  dialect?: Dialect;
  /** What drover.yaml says of it; nothing: it is shipped. */
  entry?(installed: string, modelUrl: string): object;
  /** What it needs in its HOME and environment besides; its program and arguments are those that are shipped. */
  home?(request: HomeRequest): Promise<AgentHome>;
  /** Variables of its server's: settings that stand for every start of it. */
  serverEnv?: Record<string, string>;
  /** What its sessions must declare. */
  capabilities: Capabilities;
  /** How it ends a turn in which a command was denied: some let the model go on, some stop. */
  afterDenial: "end_turn" | "cancelled";
  /** The failure of its model by which it knows a limit, and what Drover tells of it. */
  limit?: Limit;
  /** What only a program that is started for every turn differs in. */
  commandLine?: CommandLineFacts;
  /** Where it keeps its conversations, in its HOME. */
  memory?: string;
  /** What must be done to its HOME so that it can load a conversation right after it began. */
  beforeLoad?(home: string): Promise<void>;
  /** Settings of a project's that it would heed. */
  brings?: Brought;
  /** It heeds them only where its own list of projects names this one: what is added to which file of its HOME. */
  ownTrust?(project: string): { file: string; line: string };
  /** It takes seconds to start: it is not held to what Drover does alike for all agents of its driver. */
  isSlow?: true;
  /** Steps it cannot be made to take, and failures that it does not tell apart from others. */
  lacks: readonly ("ask" | "ask several" | "runs" | "auth" | "overloaded" | "drop" | "forget")[];
  /** The prompt that makes it take these steps. */
  prompt(steps: readonly Step[]): string;
}

export interface Limit {
  fail: Failure;
  code: FaultCode;
  retry: Retry;
}

/** A program that is started with a prompt, asks nobody, and ends. */
export interface CommandLineFacts {
  /** Steps of which it does nothing in a mode that would have to ask; none: it heeds no mode. */
  forbidden?: readonly Step[];
  /** The argument it takes the system text in; without, the text stands in the prompt. */
  systemFlag?: string;
  /** How a turn ends whose program was told to end. */
  terminated: FaultCode;
  /** The failure that tells a used up account, and what the environment says besides. */
  usedUp?: { fail: Failure; env: Record<string, string> };
  /** How long it tries a model that is not there, at most, if nobody tells it how often. */
  givesUpWithinMs?: number;
  /** It refuses a directory that nobody trusts, once the flag against that is taken from it. */
  distrust?: true;
}

/** Of an agent over ACP that has no say in its system prompt. */
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

/** Nobody says when it ends: long enough to be worth another account. */
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
  // It tells both in words alone, beside a bare failure (0.99.0).
  "claude-agent-acp": {
    capabilities: { ...acpCapabilities, systemText: "system" },
    lacks: ["overloaded", "drop"],
    brings: claudeBrings,
  },
  "codex-acp": {
    lacks: ["ask", "ask several", "runs", "overloaded", "drop"],
    // Any other 429 it tells in its text alone, as if the turn had gone well (2.6.0).
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
    // With a key it is the server that has no more to give; its subscriptions have windows.
    limit: { fail: { status: 429 }, code: "RATE_LIMITED", retry: { afterMs: 60_000 } },
    memory: claudeMemory,
    brings: claudeBrings,
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
