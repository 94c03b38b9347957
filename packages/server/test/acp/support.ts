import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { AgentAnswer, AgentFact, Preset } from "@drover/core";
import { type TempDir, tempDir } from "../../../../test/kit/temp.ts";
import { until } from "../../../../test/kit/until.ts";
import { acpDriver } from "../../src/drivers/acp/index.ts";
import type { AgentBatch, AgentConnection, DriverHost, OpenRequest, ProcessRecord } from "../../src/ports.ts";

const AGENTS = join(import.meta.dirname, "../../../../test/agents");

export const driver = acpDriver({ version: "1.2.3", now: () => Date.parse("2026-01-01T00:00:00Z") });

/** The engine's side of a connection, in memory: records everything, and checks that calls come one at a time. */
export class RecordingHost implements DriverHost {
  readonly batches: AgentBatch[] = [];
  readonly spawns: ProcessRecord[];
  readonly failures: unknown[] = [];
  /** Awaited by every call before it records anything. */
  gate: () => Promise<void> = () => Promise.resolve();
  #calls = 0;
  #isDead = false;

  /** `known`: what an earlier server stored about the process. */
  constructor(known?: ProcessRecord) {
    this.spawns = known ? [known] : [];
  }

  async spawned(process: ProcessRecord): Promise<void> {
    await this.#alone(() => void this.spawns.push(process));
  }

  async record(batch: AgentBatch): Promise<void> {
    await this.#alone(() => void this.batches.push(batch));
  }

  unreadable(error: unknown): void {
    this.failures.push(error);
  }

  get facts(): AgentFact[] {
    return this.batches.flatMap((batch) => batch.facts);
  }

  /** The process as an engine would have stored it. */
  get process(): ProcessRecord {
    const last = this.spawns.at(-1);
    if (last === undefined) throw new Error("No process was reported");
    return { ...last, position: Math.max(last.position, this.batches.at(-1)?.position ?? 0) };
  }

  of<T extends AgentFact["type"]>(type: T): Extract<AgentFact, { type: T }>[] {
    return this.facts.filter((fact): fact is Extract<AgentFact, { type: T }> => fact.type === type);
  }

  /** The agent's text, without its thoughts. */
  get text(): string {
    return this.facts.map((fact) => (fact.type === "text" ? fact.text : "")).join("");
  }

  /** Waits for the first fact of this type. */
  first<T extends AgentFact["type"]>(type: T): Promise<Extract<AgentFact, { type: T }>> {
    return until(() => this.of(type)[0], { what: `a fact ${type}` });
  }

  turnEnd(turnId: string): Promise<Extract<AgentFact, { type: "turn_end" }>> {
    const isIt = (fact: { turnId: string }): boolean => fact.turnId === turnId;
    return until(() => this.of("turn_end").find(isIt), { what: `the end of ${turnId}` });
  }

  /** Simulates a crash of the server: nothing more is stored, including calls in progress. */
  die(): void {
    this.#isDead = true;
  }

  async #alone(call: () => void): Promise<void> {
    this.#calls += 1;
    if (this.#calls !== 1) throw new Error("Concurrent calls of the host");
    await this.gate();
    await new Promise(setImmediate);
    if (this.#isDead) return new Promise(() => undefined);
    call();
    this.#calls -= 1;
  }
}

export interface Program {
  /** A program of test/agents, or `scripted`. */
  readonly agent: string;
  readonly args?: readonly string[];
  /** The responses of `scripted`. */
  readonly script?: object;
}

/** A session's place: its working directory, its run directory, and the messages its agent received. */
export class Place implements AsyncDisposable {
  readonly dir: TempDir;
  readonly log: string;
  /** Unique, because every process with a session's mark is ended with it. */
  readonly sessionId = `ses_${randomUUID()}`;
  #connections: AgentConnection[] = [];

  private constructor(dir: TempDir) {
    this.dir = dir;
    this.log = join(dir.path, "received.jsonl");
  }

  static async make(): Promise<Place> {
    return new Place(await tempDir());
  }

  request(program: Program, more: Partial<OpenRequest> = {}): OpenRequest {
    const { agent, args = [], script = {} } = program;
    const own = join(import.meta.dirname, "agents/scripted.mjs");
    const argv =
      agent === "scripted"
        ? [own, this.log, JSON.stringify(script)]
        : [join(AGENTS, `${agent}.mjs`), ...args];
    return {
      sessionId: this.sessionId,
      preset: preset({ command: process.execPath, args: argv }),
      cwd: this.dir.path,
      directory: join(this.dir.path, "run"),
      env: { PATH: process.env["PATH"] ?? "", HOME: this.dir.path, DROVER_SESSION: this.sessionId },
      mcpServers: {},
      permissionMode: "ask",
      epoch: 1,
      startTimeoutMs: 60_000,
      stopGraceMs: 2_000,
      signal: new AbortController().signal,
      ...more,
    };
  }

  async open(
    program: Program,
    host: RecordingHost,
    more: Partial<OpenRequest> = {},
  ): Promise<AgentConnection> {
    return this.use(this.request(program, more), host);
  }

  /** `open` with a prepared request. */
  async use(request: OpenRequest, host: RecordingHost): Promise<AgentConnection> {
    const connection = await driver.open(request, host);
    this.#connections.push(connection);
    return connection;
  }

  /** The messages that `scripted` received. */
  async received(): Promise<ReceivedMessage[]> {
    const text = await readFile(this.log, "utf8").catch(() => "");
    return text
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as ReceivedMessage);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const last = this.#connections.at(-1);
    await last?.stop();
    await last?.ended;
    await this.dir.remove();
  }
}

export interface ReceivedMessage {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: unknown;
}

export function preset(program: { command: string; args?: readonly string[] }): Preset {
  return {
    agent: "test",
    name: "Test Agent",
    driver: "acp",
    command: program.command,
    args: program.args ?? [],
    env: {},
    passEnv: [],
    systemVia: "meta",
  };
}

/** A prompt for `scripted`. */
export const script = (prompt: { send?: object[]; end?: object }): string => JSON.stringify(prompt);

export const update = (fields: object): object => ({
  method: "session/update",
  params: { sessionId: "conversation-1", update: fields },
});

export const chunk = (text: string): object =>
  update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });

/** The recorded requests, as an engine stores them. */
export function pendingOf(host: RecordingHost): NonNullable<OpenRequest["attach"]>["pending"] {
  const raw = Object.assign({}, ...host.batches.map((batch) => batch.raw ?? {})) as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(raw).map(([key, message]) => [key, { interactionId: `int_${key}`, raw: message }]),
  );
}

/** One turn in which the scripted agent sends this request; returns the answer it received. */
export async function askScripted(
  request: object,
  answer: AgentAnswer,
): Promise<{ host: RecordingHost; received: unknown }> {
  await using place = await Place.make();
  const host = new RecordingHost();
  const connection = await place.open({ agent: "scripted" }, host);
  await connection.prompt("trn_1", script({ send: [request] }));
  const { requestKey } = await until(() => host.of("approval_request")[0] ?? host.of("question_request")[0]);
  await connection.answer(requestKey, answer);
  await host.turnEnd("trn_1");
  return { host, received: JSON.parse(host.text) };
}
