// The Claude Code driver without an engine: a host that records what the driver reports, and the real program.
import { appendFileSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { type AgentFact, Fault, type Preset } from "@drover/core";
import { claudeDriver } from "../../packages/server/src/drivers/claude/index.ts";
import type {
  AgentBatch,
  AgentConnection,
  DriverHost,
  OpenRequest,
  PendingRequest,
  ProcessRecord,
} from "../../packages/server/src/ports.ts";
import { killAllOf } from "../kit/processes.ts";
import { cleanEnvironment } from "../kit/server.ts";
import { tempDir } from "../kit/temp.ts";
import { until } from "../kit/until.ts";
import { anthropic } from "../models/anthropic.ts";
import { type Model, startModel } from "../models/model.ts";
import { deadProxy } from "./direct.ts";

const programs = join(import.meta.dirname, "..", "..", "packages", "server", "src");

const preset: Preset = {
  agent: "claude",
  name: "Claude Code",
  driver: "claude",
  command: "claude",
  args: [],
  env: {},
  passEnv: [],
};

/** What the driver reports to a host, as lines in a file that outlives the host. */
type Entry = { spawned: ProcessRecord } | { batch: AgentBatch };

/** Everything reported to one host, or to several in a row. */
export class Journal {
  readonly file: string;

  constructor(file: string) {
    this.file = file;
  }

  write(entry: Entry): void {
    // A Fault is an Error, and JSON leaves out its message.
    const line = JSON.stringify(entry, (_key, value) => (value instanceof Fault ? value.toWire() : value));
    appendFileSync(this.file, `${line}\n`);
  }

  async entries(): Promise<Entry[]> {
    const lines = (await readFile(this.file, "utf8").catch(() => "")).split("\n");
    return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as Entry);
  }

  async facts(): Promise<AgentFact[]> {
    return (await this.entries()).flatMap((entry) => ("batch" in entry ? entry.batch.facts : []));
  }

  async fact<T extends AgentFact["type"]>(type: T): Promise<Extract<AgentFact, { type: T }>> {
    const isWanted = (fact: AgentFact): fact is Extract<AgentFact, { type: T }> => fact.type === type;
    return until(async () => (await this.facts()).findLast(isWanted), {
      deadline: 60_000,
      what: `a ${type}`,
    });
  }

  async text(): Promise<string> {
    return (await this.facts()).map((fact) => (fact.type === "text" ? fact.text : "")).join("");
  }

  /** What a store would have of the process and its open requests. */
  async attachment(): Promise<NonNullable<OpenRequest["attach"]>> {
    let process: ProcessRecord | undefined;
    const pending: Record<string, PendingRequest> = {};
    for (const entry of await this.entries()) {
      if ("spawned" in entry) process = entry.spawned;
      else {
        for (const [key, raw] of Object.entries(entry.batch.raw ?? {}))
          pending[key] = { interactionId: key, raw };
        if (process) process = { ...process, position: entry.batch.position };
      }
    }
    if (!process) throw new Error("No process was stored");
    return { process, pending };
  }
}

export interface Stage {
  installed: string;
  home: string;
  cwd: string;
  modelUrl: string;
}

type Changes = Partial<OpenRequest> & { host?: DriverHost };

/** Opens the driver on the real program; its reports go into the journal. */
export function openClaude(stage: Stage, journal: Journal, changes: Changes = {}): Promise<AgentConnection> {
  const { installed, home, cwd, modelUrl } = stage;
  const driver = claudeDriver({ sdkDirectories: [installed], programs });
  const { host, ...request } = changes;
  // Unique to this scene: every process with a session's mark is ended with its agent.
  const sessionId = `ses_${basename(home)}`;
  const env = {
    ...cleanEnvironment(home),
    ...deadProxy(modelUrl),
    ANTHROPIC_API_KEY: "made-up",
    ANTHROPIC_BASE_URL: modelUrl,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    CLAUDE_CODE_MAX_RETRIES: "1",
    DROVER_SESSION: sessionId,
  };
  return driver.open(
    {
      sessionId,
      preset,
      cwd,
      directory: join(home, "runs", "1"),
      env: { ...env, ...request.env },
      mcpServers: {},
      permissionMode: "ask",
      epoch: 1,
      startTimeoutMs: 30_000,
      stopGraceMs: 5_000,
      signal: new AbortController().signal,
      ...withoutEnv(request),
    },
    host ?? {
      spawned: async (spawned) => journal.write({ spawned }),
      record: async (batch) => journal.write({ batch }),
      unreadable: (error) => console.error(error),
    },
  );
}

function withoutEnv({ env: _, ...rest }: Partial<OpenRequest>): Partial<OpenRequest> {
  return rest;
}

export interface Scene {
  stage: Stage;
  model: Model;
  /** A new id per process; opening with the same id again continues the same run. */
  journal(): Journal;
  open(journal: Journal, changes?: Changes): Promise<AgentConnection>;
  /** What the scripted command wrote; undefined if it never ran. */
  notes(): Promise<string | undefined>;
}

export async function inScene(installed: string, play: (scene: Scene) => Promise<void>): Promise<void> {
  await using model = await startModel(anthropic);
  await using home = await tempDir("conformance-");
  const cwd = join(home.path, "project");
  await mkdir(cwd);
  const stage = { installed, home: home.path, cwd, modelUrl: model.url };
  let runs = 0;
  try {
    await play({
      stage,
      model,
      journal: () => new Journal(join(home.path, `journal-${++runs}`)),
      open: (journal, changes) =>
        openClaude(stage, journal, { directory: join(home.path, "runs", String(runs)), ...changes }),
      notes: () => readFile(join(cwd, "notes"), "utf8").catch(() => undefined),
    });
  } finally {
    await killAllOf(home.path);
  }
}
