import { join } from "node:path";
import type { Capabilities, ContextEntry, Preset, Rejection, Result, Session } from "@drover/core";
import { type TempDir, tempDir } from "../../../../test/kit/temp.ts";
import { until } from "../../../../test/kit/until.ts";
import { accountAdapters } from "../../src/accounts/adapters.ts";
import { acpDriver } from "../../src/drivers/acp/index.ts";
import { jsonlDriver } from "../../src/drivers/jsonl/index.ts";
import { textDriver } from "../../src/drivers/text/index.ts";
import type { EngineDeps, EngineSettings } from "../../src/engine/deps.ts";
import { Engine } from "../../src/engine/engine.ts";
import { WorkerSlots } from "../../src/engine/workers/slots.ts";
import { homeAt } from "../../src/home.ts";
import type { AgentConnection, Driver, DriverHost, Logger, OpenRequest, Store } from "../../src/ports.ts";
import { storedAttachments } from "../../src/process/attachments.ts";
import { runCommand } from "../../src/process/command.ts";
import { spooledLogs } from "../../src/process/raw-logs.ts";
import { sweepMarked } from "../../src/process/sweep.ts";
import type { Service } from "../../src/service.ts";
import { openSqliteStore } from "../../src/store/sqlite.ts";
import { comparison } from "../../src/workspace/comparison.ts";
import { localWorkspaces } from "../../src/workspace/local.ts";
import { worktreeMerges } from "../../src/workspace/merges.ts";
import { pullRequests } from "../../src/workspace/pull-requests.ts";
import { RepositoryLocks } from "../../src/workspace/repository-lock.ts";
import { workerTexts } from "../../src/workspace/worker-texts.ts";
import { workerFiles } from "../../src/workspace/workers.ts";
import { noCheckpoints, noUpkeep, unused } from "./outside-repository.ts";

const agents = join(import.meta.dirname, "../../../../test/agents");

export interface Stage {
  /** A program in test/agents. */
  readonly agent: string;
  /** Its arguments. */
  readonly args?: readonly string[];
  /** Other fields of its preset. */
  readonly preset?: Partial<Preset>;
  readonly settings?: Partial<EngineSettings>;
  /** Wraps the store the engine gets, for example to refuse commits as a full disk would. */
  readonly store?: (real: Store) => Store;
  /** Capabilities in addition to those its driver reports. */
  readonly capabilities?: Partial<Capabilities>;
  /** Wraps each connection once it is open. */
  readonly connection?: (real: AgentConnection) => AgentConnection;
  /** Runs before each process of the agent is started. */
  readonly beforeOpen?: (host: DriverHost) => Promise<void>;
  /** Called with the request that opens each process of the agent. */
  readonly onOpen?: (request: OpenRequest) => void;
  /** Decides what may follow an attempt. */
  readonly followUps?: EngineDeps["followUps"];
  readonly home?: TempDir;
  /** Replaces what the engine knows about directories. */
  readonly directories?: Partial<Pick<EngineDeps, "repositoryTop" | "isHomeOrAbove">>;
}

interface Logged {
  readonly level: keyof Logger;
  readonly message: string;
}

export const silent: Logger = { debug() {}, info() {}, warn() {}, error() {} };

/** An engine with a real store and a real agent; tests call its service directly. */
export class Staged implements AsyncDisposable {
  readonly engine: Engine;
  readonly store: Store;
  readonly logged: Logged[] = [];
  readonly directory: string;
  readonly #home: TempDir;
  #sessions: string[] = [];
  #isClosed = false;

  private constructor(stage: Stage, { home, store }: { home: TempDir; store: Store }) {
    this.#home = home;
    this.store = store;
    this.directory = home.path;
    this.engine = new Engine(this.#deps(stage));
  }

  static async open(stage: Stage): Promise<Staged> {
    const home = stage.home ?? (await tempDir());
    const store = await openSqliteStore({ file: homeAt(home.path).database });
    const staged = new Staged(stage, { home, store });
    if (!stage.home) await staged.engine.recover();
    return staged;
  }

  get service(): Service {
    return this.engine.service;
  }

  async create(cwd = this.directory): Promise<Session> {
    const session = granted(await this.service.sessions.create({ agent: "test", cwd }, { by: "api" }));
    this.#sessions.push(session.id);
    return session;
  }

  async steer(id: string, content: string) {
    const message = { content, disposition: "steer", strict: false } as const;
    return granted(await this.service.sessions.send(id, message, { by: "api" }));
  }

  async send(id: string, content: string, context?: readonly ContextEntry[]) {
    const given = context ? { context } : {};
    const message = { content, disposition: "queue", strict: false, ...given } as const;
    return granted(await this.service.sessions.send(id, message, { by: "api" }));
  }

  async get(id: string): Promise<Session> {
    return granted(await this.service.sessions.get(id));
  }

  /** Waits until the session meets the condition, and returns it. */
  when(id: string, what: (session: Session) => boolean): Promise<Session> {
    return until(
      async () => {
        const session = await this.get(id);
        return what(session) && session;
      },
      { what: what.toString() },
    );
  }

  async types(id: string): Promise<string[]> {
    return (await this.store.events(id, 0, 1 << 20)).map(({ type }) => type);
  }

  /** Like a server's shutdown: agents keep running unless `stopAgents` is set. */
  async close({ stopAgents = false } = {}): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.engine.close({ stopAgents });
    await this.store[Symbol.asyncDispose]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close({ stopAgents: true });
    for (const id of this.#sessions) await sweepMarked(id, 0);
    await this.#home.remove();
  }

  #deps(stage: Stage): EngineDeps {
    const { agent, args = [], settings, store = (real) => real, beforeOpen } = stage;
    const { connection = (real) => real } = stage;
    const preset: Preset = {
      ...{ agent: "test", name: "Test Agent", driver: "acp" },
      ...{ command: process.execPath, args: [join(agents, `${agent}.mjs`), ...args] },
      ...{ env: {}, passEnv: [], systemVia: "meta" },
      ...stage.preset,
    };
    const acp = acpDriver({ version: "1.2.3" });
    const driver: Driver = {
      ...acp,
      capabilities: (known) => ({ ...acp.capabilities(known), ...stage.capabilities }),
      open: async (request, host) => {
        stage.onOpen?.(request);
        await beforeOpen?.(host);
        return connection(await acp.open(request, host));
      },
    };
    const { runDirectory, checkDirectory, scratch } = homeAt(this.directory);
    const git = { environment: {}, scratch, gitTimeoutMs: 5_000, worktreeTimeoutMs: 5_000 };
    const log = (level: Logged["level"]) => (message: string) => void this.logged.push({ level, message });
    return {
      store: store(this.store),
      node: "test",
      drivers: { acp: driver, jsonl: jsonlDriver({ mappers: {} }), text: textDriver() },
      presets: new Map([["test", preset]]),
      settings: but<EngineSettings>(
        {
          ...{ idleAfterMs: 60_000, stallAfterMs: 60_000, queueMax: 50, interactionTimeoutMs: 60_000 },
          ...{ permissionMode: "ask", workspace: "local" },
          ...{ checkpointTimeoutMs: 60_000, setupTimeoutMs: 60_000, checkTimeoutMs: 60_000 },
          workers: {
            ...{ permissionMode: "acceptEdits", turnTimeoutMs: 0, signalTries: 3, signalBackoffMs: 1 },
            doneGraceMs: 60_000,
          },
          accounts: {
            ...{ rotation: "least-recently-used", rateLimitUpToMs: 300_000, assumeUntilMs: 3_600_000 },
          },
          supervision: {
            ...{ startTimeoutMs: 20_000, attempts: 5, backoffMs: 50, maxBackoffMs: 200 },
            ...{ stableAfterMs: 60_000, stopGraceMs: 500 },
          },
        },
        settings ?? {},
      ),
      logger: { debug: log("debug"), info: log("info"), warn: log("warn"), error: log("error") },
      followUps: stage.followUps ?? (() => ({ maxAttempts: 1 })),
      runDirectory,
      checkDirectory,
      outputDirectory: (sessionId) => join(this.directory, "sessions", sessionId, "output"),
      workers: {
        files: workerFiles(git, new RepositoryLocks()),
        slots: new WorkerSlots(() => 4),
        texts: workerTexts(join(import.meta.dirname, "../../src")),
      },
      rawLogs: spooledLogs(runDirectory),
      attachments: storedAttachments((sessionId) => join(this.directory, "sessions", sessionId)),
      limitStarts: (start) => start(),
      runCommand,
      sweep: (sessionId, graceMs = 500) => sweepMarked(sessionId, graceMs),
      ...accountAdapters({
        ...{ vault: join(this.directory, "accounts"), home: join(this.directory, ".drover") },
        serverEnvironment: () => ({ PATH: process.env["PATH"] ?? "", HOME: this.directory }),
        onSecret: () => undefined,
      }),
      context: async () => ({ text: "", isRepository: false }),
      resolvePath: async (path) => ({ ok: true, value: path }),
      configFile: join(this.directory, "drover.yaml"),
      readInstructions: async () => ({ ok: true, value: "" }),
      subdirectories: async () => [],
      repositoryTop: async () => undefined,
      isHomeOrAbove: async () => false,
      tourDirectory: join(this.directory, "tour"),
      droverHome: join(this.directory, ".drover"),
      ...stage.directories,
      workspaces: { local: localWorkspaces(comparison(git)) },
      merges: worktreeMerges(git, new RepositoryLocks()),
      pullRequests: pullRequests(Object.assign(git, { personal: git.environment })),
      upkeep: noUpkeep,
      checkpoints: noCheckpoints,
      server: { config: unused, doctor: unused },
      isStorageFull: () => false,
      storageAvailable: () => new Promise((resolve) => setImmediate(resolve)),
      inspect: async ({ command }) => ({ installed: true, command, login: "ok" }),
      install: async () => ({ ok: true, value: undefined }),
      locate: async (found) => found,
    };
  }
}

export function granted<T>(result: Result<T, Rejection>): T {
  if (!result.ok) throw new Error(`${result.error.code}: ${result.error.message}`);
  return result.value;
}

/** The same object with some of its methods replaced. */
export function but<T extends object>(real: T, changed: Partial<T>): T {
  return new Proxy(real, {
    get(target, name) {
      if (Object.hasOwn(changed, name)) return changed[name as keyof T];
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
