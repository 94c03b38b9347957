import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { DoctorReport } from "@drover/core";
import { createApi } from "./api/index.ts";
import { type Config, loadConfig, reportConfig, serverEnvironment } from "./config.ts";
import { buildRuntimeContext } from "./context/index.ts";
import { createDrivers } from "./drivers/index.ts";
import { shippedPresets } from "./drivers/presets.ts";
import type { EngineDeps } from "./engine/deps.ts";
import { Engine } from "./engine/engine.ts";
import { makeHome } from "./home.ts";
import {
  cannotServe,
  endInTime,
  ensureToken,
  readServerFile,
  removeServerFile,
  takeStopAgentsWish,
  untilSignal,
  writeServerFile,
} from "./lifecycle.ts";
import { createLogger, type Logger } from "./log.ts";
import type { Store } from "./ports.ts";
import { agentEnvironment } from "./process/environment.ts";
import { identifyChild } from "./process/identity.ts";
import { sessionOfPeer } from "./process/peer.ts";
import { Semaphore } from "./process/semaphore.ts";
import { sweepMarked } from "./process/sweep.ts";
import { inspectAgent } from "./programs/inspect.ts";
import { Installer } from "./programs/installer.ts";
import { locate, type ProgramSearch } from "./programs/locate.ts";
import { FreeSpace } from "./store/free-space.ts";
import { acquireHome } from "./store/home-lock.ts";
import { StoreRefused } from "./store/refused.ts";
import { migrations } from "./store/schema.ts";
import { openSqliteStore } from "./store/sqlite.ts";
import { version } from "./version.ts";
import { resolveInBoundary } from "./workspace/boundary.ts";
import { localWorkspace, type WorkspaceDeps } from "./workspace/index.ts";

/** Sources in a checkout, the bundle in a published package: programs and page lie beside this file's directory. */
const programs = import.meta.dirname;

export interface ServeOptions {
  readonly port?: number | undefined;
  readonly config?: string | undefined;
  readonly stopAgents?: boolean | undefined;
  readonly json?: boolean | undefined;
}

/** Serves until a signal comes. Resolves with the exit code. */
export async function serve(options: ServeOptions): Promise<number> {
  if (process.platform === "win32") {
    return refuse("Drover does not run on Windows yet. Use it inside WSL, where it is at home.", 2);
  }
  const { port, config: file, stopAgents } = options;
  const loaded = await loadConfig({ port, config: file, stopAgents, shipped: shippedPresets(programs) });
  if (!loaded.ok) return refuse(loaded.error.map((problem) => problem.message).join("\n"), 2);
  const config = loaded.value;
  const unusable = await makeHome(config.home);
  if (unusable !== undefined) return refuse(unusable, 2);
  // From here on: who is told to end while it starts ends as politely as later.
  const signalled = untilSignal(() => process.exit(0));
  try {
    using _lock = acquireHome({ home: config.home.directory, identify: () => readServerFile(config.home) });
    void signalled.then(() => endInTime(config.home));
    return await serveHome(config, options, signalled);
  } catch (error) {
    if (error instanceof StoreRefused) return refuse(error.message, error.code === "IN_USE" ? 3 : 2);
    const refusal = cannotServe(error as NodeJS.ErrnoException, { ...config.server, home: config.home });
    if (refusal) return refuse(refusal.message, refusal.code);
    throw error;
  }
}

/** This process holds the home now. */
async function serveHome(config: Config, { json }: ServeOptions, signalled: Promise<void>): Promise<number> {
  const { home } = config;
  const { level, maxSize, keep } = config.log;
  using logger = createLogger({ level, to: { file: home.serverLog, maxSize, keep } });
  await using store = await openSqliteStore({ directory: home.directory });
  if (store.report.keptAside) console.error(store.report.keptAside.message);
  await takeStopAgentsWish(home);
  await rm(home.scratch, { recursive: true, force: true });
  const token = await ensureToken(home);
  logger.redact(token);
  const app = await startApp({ config, store, token, logger });
  const { url, login } = app;
  const { pid } = process;
  await writeServerFile(home, {
    ...identifyChild(pid),
    url,
    version,
    startedAt: new Date().toISOString(),
  });
  if (json) {
    const listening = { event: "listening", url, port: app.port, pid, home: home.directory, login };
    console.log(JSON.stringify(listening));
  } else {
    console.log(
      `Drover listens on ${url}\nOpen ${login} (works once, within ten minutes)\nIts log: ${home.serverLog}`,
    );
  }
  logger.info("listening", { url, pid, version });
  await signalled;
  logger.info("ending");
  await app.close({ stopAgents: config.server.stopAgents || (await takeStopAgentsWish(home)) });
  removeServerFile(home);
  return 0;
}

function refuse(message: string, code: number): number {
  console.error(message);
  return code;
}

interface AppParts {
  readonly config: Config;
  readonly store: Store;
  readonly token: string;
  readonly logger: Logger;
}

interface App {
  readonly url: string;
  readonly port: number;
  /** A one-time link that lets a browser in. */
  readonly login: string;
  close(options: { stopAgents: boolean }): Promise<void>;
}

/** The composition root: the only place where the engine meets its adapters. Listens once the log is recovered. */
async function startApp(parts: AppParts): Promise<App> {
  const { config, store, logger } = parts;
  const space = new FreeSpace({
    directory: config.home.directory,
    minFree: config.storage.minFree,
    onChange: (isFull) => void engine.holdAgents(isFull ? storageFull : undefined),
  });
  const installer = new Installer({ agents: config.home.agents, env: serverEnvironment() });
  let port = config.server.port;
  const engine = new Engine({
    ...engineDeps(parts, space),
    install: (preset) => installer.install(preset),
    context: (cwd) => buildRuntimeContext(cwd, { ...gitGivens(config), version, port }),
    server: { config: () => reportConfig(config), doctor: () => examineServer(config, port) },
  });
  await space.look();
  const api = createApi({
    service: engine.service,
    auth: { token: parts.token, ...logins(store) },
    receipts: { receipt: (key) => store.receipt(key), saveReceipt: (receipt) => store.saveReceipt(receipt) },
    config,
    version,
    logger,
    webDirectory: webDirectory(),
    peerSession: sessionOfPeer,
    onTurn: (listener) => engine.onTurn(listener),
    statistics: () => engine.statistics(),
  });
  const { sessions, attached } = await engine.recover();
  const listening = await api.listen();
  const { url } = listening;
  port = listening.port;
  attached.then(
    () => sessions > 0 && logger.info("sessions are taken up again", { sessions }),
    (error) => logger.error("recovery failed", { error: String(error) }),
  );
  return {
    url,
    port,
    login: `${url}/login#${api.mintLoginCode()}`,
    async close(options) {
      space[Symbol.dispose]();
      await Promise.all([installer[Symbol.asyncDispose](), api.close()]);
      await engine.close(options);
    },
  };
}

const storageFull = {
  code: "STORAGE_FULL",
  message: "Too little disk space is left; free some (`drover doctor` shows what takes it), then try again",
} as const;

/** As `drover doctor` does. The configuration is read again: what is wrong with it would show at the next start. */
async function examineServer({ home, file }: Config, port: number): Promise<DoctorReport> {
  const { examine } = await import("./doctor/examine.ts");
  const { fine } = await import("./doctor/finding.ts");
  const named = file === home.config ? undefined : file;
  const loaded = await loadConfig({ config: named, shipped: shippedPresets(programs) });
  const server = fine("server", `This one answers on port ${port} (pid ${process.pid}), version ${version}`);
  const schema = migrations.length;
  return examine({ home, config: loaded, server, schema, search: programSearch({ home }) });
}

const programSearch = ({ home }: Pick<Config, "home">): ProgramSearch => ({
  agents: home.agents,
  own: programs,
  env: serverEnvironment(),
});

/** git gets what finds and configures it, and nothing that could point it elsewhere. */
function gitGivens(config: Config): Omit<WorkspaceDeps, "scratch"> {
  const given = ["PATH", "HOME", "USER", "LANG", "LC_ALL", "TZ", "TMPDIR", "XDG_CONFIG_HOME"];
  const environment = Object.fromEntries(
    Object.entries(serverEnvironment()).filter(([name]) => given.includes(name)),
  );
  return { gitTimeoutMs: config.git.timeout, environment };
}

type EngineGivens = Omit<EngineDeps, "context" | "server" | "install">;

function engineDeps({ config, store, logger }: AppParts, space: FreeSpace): EngineGivens {
  const { home, presets, supervision } = config;
  const starts = new Semaphore(supervision.startsAtOnce);
  return {
    store,
    drivers: createDrivers({
      version,
      agents: home.agents,
      programs,
      onUnknown: (agent, counts) =>
        logger.debug("an agent said what Drover does not know", { agent, counts }),
    }),
    presets,
    settings: {
      idleAfterMs: config.sessions.idleAfter,
      stallAfterMs: config.sessions.stallAfter,
      queueMax: config.sessions.queueMax,
      interactionTimeoutMs: config.interactions.timeout,
      permissionMode: config.sessions.permissionMode,
      workspace: config.sessions.workspace,
      supervision: {
        startTimeoutMs: supervision.startTimeout,
        attempts: supervision.attempts,
        backoffMs: supervision.backoff,
        maxBackoffMs: supervision.maxBackoff,
        stableAfterMs: supervision.stableAfter,
        stopGraceMs: supervision.stopGrace,
      },
    },
    logger,
    runDirectory: (sessionId, run) => home.runDirectory(sessionId, run),
    limitStarts: (start) => starts.run(start),
    sweep: (sessionId, graceMs = supervision.stopGrace) => sweepMarked(sessionId, graceMs),
    environment: ({ preset, sessionId, project }) =>
      agentEnvironment({
        server: serverEnvironment(),
        preset: preset.env,
        project,
        passEnv: preset.passEnv,
        sessionId,
      }),
    resolvePath: (path, field) => resolveInBoundary(path, config.server.roots, field),
    workspace: localWorkspace({ ...gitGivens(config), scratch: home.scratch }),
    isStorageFull: () => space.isFull,
    storageAvailable: () => space.available(),
    inspect: (preset) => inspectAgent(preset, programSearch(config)),
    locate: (preset, env) => locate(preset, { ...programSearch(config), env }),
  };
}

const logins = (store: Store): Pick<Store, "addLogin" | "hasLogin" | "removeLogin"> => ({
  addLogin: (hash) => store.addLogin(hash),
  hasLogin: (hash) => store.hasLogin(hash),
  removeLogin: (hash) => store.removeLogin(hash),
});

function webDirectory(): string {
  const bundled = join(programs, "app");
  return existsSync(bundled) ? bundled : join(programs, "..", "..", "web", "dist", "app");
}
