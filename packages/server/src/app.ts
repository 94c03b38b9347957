import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { DoctorReport, WorktreeInfo } from "@drover/core";
import { accountAdapters } from "./accounts/adapters.ts";
import { createApi } from "./api/index.ts";
import { type Config, type LiveConfig, loadConfig, reportConfig, serverEnvironment } from "./config.ts";
import { buildRuntimeContext } from "./context/index.ts";
import { createDrivers } from "./drivers/index.ts";
import { shippedPresets } from "./drivers/presets.ts";
import { type EngineDeps, storageFull } from "./engine/deps.ts";
import { Engine } from "./engine/engine.ts";
import { WorkerSlots } from "./engine/workers/slots.ts";
import { gitGivens, liveSettings, portGivens, pullGivens } from "./givens.ts";
import type { ServerLog } from "./log.ts";
import type { Store } from "./ports.ts";
import { storedAttachments } from "./process/attachments.ts";
import { runCommand } from "./process/command.ts";
import { Peers } from "./process/peer.ts";
import { spooledLogs } from "./process/raw-logs.ts";
import { Semaphore } from "./process/semaphore.ts";
import { sweepMarked } from "./process/sweep.ts";
import { inspectAgent } from "./programs/inspect.ts";
import { Installer } from "./programs/installer.ts";
import { locate, type ProgramSearch } from "./programs/locate.ts";
import { FreeSpace, Housekeeping, inspectStore, loginStore } from "./store/index.ts";
import { version } from "./version.ts";
import { gitCheckpoints } from "./workspace/checkpoints.ts";
import { comparison } from "./workspace/comparison.ts";
import { directories } from "./workspace/directories.ts";
import { readConfigured, readRequested } from "./workspace/instructions.ts";
import { localWorkspaces } from "./workspace/local.ts";
import { worktreeMerges } from "./workspace/merges.ts";
import { pullRequests } from "./workspace/pull-requests.ts";
import { recordedTree } from "./workspace/recorded-tree.ts";
import { RepositoryLocks } from "./workspace/repository-lock.ts";
import { workerTexts } from "./workspace/worker-texts.ts";
import { workerFiles } from "./workspace/workers.ts";
import { worktrees } from "./workspace/worktrees.ts";

/** Only one server at a time holds a home (store/home-lock.ts), so all of them are the same node. */
const node = "local";

/** Sources in a checkout, the bundle in a published package: programs and page lie beside this file. */
const programs = import.meta.dirname;

export interface AppParts {
  readonly live: LiveConfig<Config>;
  readonly store: Store;
  readonly token: string;
  readonly logger: ServerLog;
  /** End the agents that the last server left running. */
  readonly stopAgents: boolean;
}

export interface App {
  readonly url: string;
  readonly port: number;
  /** A one-time link that logs a browser in. */
  readonly login: string;
  close(options: { stopAgents: boolean }): Promise<void>;
}

/** The composition root: the only place where the engine meets its adapters. Listens once the log is recovered. */
export async function startApp(parts: AppParts): Promise<App> {
  const { live, store, logger } = parts;
  const config = live.current;
  const space = new FreeSpace({
    directory: config.home.directory,
    minFree: config.storage.minFree,
    onChange: (isFull) => void engine.holdAgents(isFull ? storageFull : undefined),
  });
  const installer = new Installer(programSearch(config));
  let port = config.server.port;
  // Apart from what people look at: neither waits for the other's repositories.
  const contexts = new Semaphore(4);
  const engine = new Engine(
    engineDeps(parts, {
      space,
      install: (preset) => installer.install(preset),
      context: ({ cwd, workspace }) =>
        contexts.run(() =>
          buildRuntimeContext(cwd, { ...gitGivens(live), version, port, tree: recordedTree(workspace) }),
        ),
      server: {
        config: () => reportConfig(live.current, live),
        doctor: async () => {
          const { workspaces } = await engine.service.workspaces.list();
          return examineServer(live, { port, worktrees: workspaces });
        },
      },
    }),
  );
  await space.look();
  const peers = new Peers(() => engine.processes());
  const api = createApi({
    service: engine.service,
    auth: { token: parts.token, ...loginStore(store) },
    receipts: store,
    config,
    version,
    logger,
    webDirectory: webDirectory(),
    peerOf: (socket) => peers.of(socket),
    onTurn: (listener) => engine.onTurn(listener),
    onStartFailure: (listener) => engine.onStartFailure(listener),
    statistics: () => engine.statistics(),
  });
  const housekeeping = new Housekeeping({ store, logger });
  const close: App["close"] = async (options) => {
    space[Symbol.dispose]();
    await Promise.all([installer[Symbol.asyncDispose](), api.close()]);
    await engine.close(options);
    await housekeeping[Symbol.asyncDispose]();
  };
  const { stopAgents } = parts;
  const { sessions, attached } = await engine.recover({ stopAgents });
  if (stopAgents) await attached;
  const listening = await api.listen().catch(async (error: unknown) => {
    // Agents that were reattached belong to the next server.
    await close({ stopAgents: false });
    throw error;
  });
  port = listening.port;
  void housekeeping.run();
  attached.then(
    () => sessions > 0 && logger.info("Recovered sessions", { sessions }),
    (error) => logger.error("Recovery failed", { error: String(error) }),
  );
  const { url } = listening;
  return { url, port, login: `${url}/login#${api.mintLoginCode()}`, close };
}

/** Like `drover doctor`. The configuration is read again: its mistakes would show at the next start. */
async function examineServer(
  live: LiveConfig<Config>,
  { port, worktrees }: { port: number; worktrees: readonly WorktreeInfo[] },
): Promise<DoctorReport> {
  const { home, file } = live.current;
  const { examine } = await import("./doctor/examine.ts");
  const { fine } = await import("./doctor/finding.ts");
  const named = file === home.config ? undefined : file;
  const loaded = await loadConfig({ config: named, shipped: shippedPresets(programs) });
  const server = fine(
    "server",
    `This server answers on port ${port} (pid ${process.pid}), version ${version}`,
  );
  const store = await inspectStore(home.database);
  const { restart } = live;
  return examine({
    home,
    config: loaded,
    server,
    store,
    search: programSearch({ home }),
    restart,
    worktrees,
  });
}

const programSearch = ({ home }: Pick<Config, "home">): ProgramSearch => ({
  agents: home.agents,
  own: programs,
  env: serverEnvironment(),
});

interface EngineParts extends Pick<EngineDeps, "context" | "server" | "install"> {
  readonly space: FreeSpace;
}

/** Values that may change while the server runs are looked up when they are used. */
function engineDeps({ live, store, logger }: AppParts, { space, ...parts }: EngineParts): EngineDeps {
  const { home, supervision } = live.current;
  const starts = new Semaphore(supervision.startsAtOnce);
  const places = directories({ home: homedir(), roots: () => live.current.server.roots, tour: home.tour });
  const git = gitGivens(live);
  const compared = comparison(git);
  const locks = new RepositoryLocks();
  const slots = new WorkerSlots(() => live.current.workers.atOnce);
  live.onChange(() => slots.grant());
  const worktree = worktrees({ git, comparison: compared, locks, ports: () => portGivens(live), ...places });
  return {
    ...parts,
    store,
    node,
    drivers: createDrivers({
      version,
      agents: home.agents,
      programs,
      onUnknown: (agent, counts) =>
        logger.debug("An agent sent unknown kinds of messages", { agent, counts }),
    }),
    get presets() {
      return live.current.presets;
    },
    settings: liveSettings(live),
    logger,
    // Only workers get more (engine/workers/follow-ups.ts).
    followUps: () => ({ maxAttempts: 1 }),
    runDirectory: (sessionId, run) => home.runDirectory(sessionId, run),
    checkDirectory: (sessionId) => home.checkDirectory(sessionId),
    outputDirectory: (sessionId) => home.outputDirectory(sessionId),
    workers: {
      files: workerFiles(git, locks),
      slots,
      texts: workerTexts(programs),
    },
    attachments: storedAttachments((sessionId) => home.sessionDirectory(sessionId)),
    rawLogs: spooledLogs((sessionId, run) => home.runDirectory(sessionId, run)),
    limitStarts: (start) => starts.run(start),
    sweep: (sessionId, graceMs = live.current.supervision.stopGrace) => sweepMarked(sessionId, graceMs),
    runCommand,
    ...accountAdapters({
      ...{ vault: home.accounts, home: home.directory, serverEnvironment },
      onSecret: (text) => logger.redact(text),
    }),
    configFile: live.current.file,
    readInstructions: (path, namedBy) =>
      namedBy === "configuration"
        ? readConfigured(path)
        : readRequested(path, { roots: live.current.server.roots, home: home.directory }),
    ...places,
    tourDirectory: home.tour,
    droverHome: home.directory,
    workspaces: { local: localWorkspaces(compared), worktree },
    upkeep: worktree,
    merges: worktreeMerges(git, locks),
    pullRequests: pullRequests(pullGivens(live)),
    checkpoints: gitCheckpoints({
      ...{ git, directory: home.checkpointDirectory, repositoryTop: places.repositoryTop },
      maxFile: () => live.current.checkpoints.maxFile,
    }),
    isStorageFull: () => space.isFull,
    storageAvailable: () => space.available(),
    inspect: (preset) => inspectAgent(preset, programSearch({ home })),
    locate: (preset, env) => locate(preset, { ...programSearch({ home }), env }),
  };
}

function webDirectory(): string {
  const bundled = join(programs, "app");
  return existsSync(bundled) ? bundled : join(programs, "..", "..", "web", "dist", "app");
}
