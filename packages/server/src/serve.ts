import { rm } from "node:fs/promises";
import { resolve } from "node:path";
import { startApp } from "./app.ts";
import { type Config, FileWatch, LiveConfig, loadConfig } from "./config.ts";
import { shippedPresets } from "./drivers/presets.ts";
import { makeHome } from "./home.ts";
import {
  agentsAreStopped,
  cannotServe,
  endInTime,
  ensureToken,
  isAskedToStopAgents,
  readServerFile,
  removeServerFile,
  type StartOptions,
  untilSignal,
  writeServerFile,
} from "./lifecycle.ts";
import { createLogger, type ServerLog } from "./log.ts";
import { identifyChild } from "./process/identity.ts";
import { acquireHome, openStore, StoreRefused } from "./store/index.ts";
import { version } from "./version.ts";

export interface ServeOptions {
  readonly port?: number | undefined;
  readonly config?: string | undefined;
  readonly stopAgents?: boolean | undefined;
  readonly json?: boolean | undefined;
}

/** Where a server reports its start. */
export interface ServeOutput {
  say(text: string): void;
  complain(text: string): void;
  json(value: unknown): void;
}

/** Serves until a signal comes. Resolves with the exit code. */
export async function serve(options: ServeOptions, output: ServeOutput): Promise<number> {
  const refuse = (message: string, code: number): number => {
    output.complain(message);
    return code;
  };
  if (process.platform === "win32") {
    return refuse("Drover does not run on Windows yet. Use it inside WSL.", 2);
  }
  const { port, config: file, stopAgents } = options;
  const shipped = shippedPresets(import.meta.dirname);
  const load = () => loadConfig({ port, config: file, stopAgents, shipped });
  const loaded = await load();
  if (!loaded.ok) return refuse(loaded.error.map((problem) => problem.message).join("\n"), 2);
  const config = loaded.value;
  const unusable = await makeHome(config.home);
  if (unusable !== undefined) return refuse(unusable, 2);
  // From here on, a signal during the start ends the server as gracefully as later.
  const signalled = untilSignal(() => process.exit(0));
  try {
    using _lock = acquireHome(config.home.lock, () => readServerFile(config.home));
    void signalled.then(() => endInTime(config.home));
    const json = options.json === true;
    return await serveHome(new LiveConfig(config, load), { json, output, signalled, options });
  } catch (error) {
    if (error instanceof StoreRefused) return refuse(error.message, error.code === "IN_USE" ? 3 : 2);
    const refusal = cannotServe(error as NodeJS.ErrnoException, { ...config.server, home: config.home });
    if (refusal) return refuse(refusal.message, refusal.code);
    throw error;
  }
}

interface Serving {
  readonly json: boolean;
  readonly output: ServeOutput;
  readonly signalled: Promise<void>;
  readonly options: ServeOptions;
}

/** The options as another process can use them. */
const startOptions = ({ port, config, stopAgents }: ServeOptions): StartOptions => ({
  ...(port === undefined ? {} : { port }),
  ...(config === undefined ? {} : { config: resolve(config) }),
  ...(stopAgents ? { stopAgents } : {}),
});

/** This process now holds the home. */
async function serveHome(
  live: LiveConfig<Config>,
  { json, output, signalled, options }: Serving,
): Promise<number> {
  const { home, file } = live.current;
  const { level, maxSize, keep } = live.current.log;
  using logger = createLogger({ level, to: { file: home.serverLog, maxSize, keep } });
  await using store = await openStore({ file: home.database });
  if (store.report.keptAside) output.complain(store.report.keptAside.message);
  await rm(home.scratch, { recursive: true, force: true });
  const token = await ensureToken(home);
  logger.redact(token);
  // The last server was asked to stop its agents, and ended first.
  const stopAgents = isAskedToStopAgents(home);
  const app = await startApp({ live, store, token, logger, stopAgents });
  await agentsAreStopped(home);
  const { url, login } = app;
  const { pid } = process;
  await writeServerFile(home, {
    ...identifyChild(pid),
    url,
    version,
    startedAt: new Date().toISOString(),
    options: startOptions(options),
  });
  if (json) {
    output.json({ event: "listening", url, port: app.port, pid, home: home.directory, login });
  } else {
    output.say(
      `Drover is listening on ${url}\nTo log in, open ${login} (works once, within ten minutes)\nLog: ${home.serverLog}`,
    );
  }
  logger.info("listening", { url, pid, version });
  await using _watch = new FileWatch({
    file,
    changed: async () => logReload(logger, await live.reload()),
    failed: (error) =>
      logger.warn("Cannot watch the configuration; changes need a restart", { file, error: String(error) }),
  });
  await signalled;
  logger.info("ending");
  await app.close({ stopAgents: live.current.server.stopAgents || isAskedToStopAgents(home) });
  await agentsAreStopped(home);
  removeServerFile(home);
  return 0;
}

function logReload(logger: ServerLog, reloaded: Awaited<ReturnType<LiveConfig<Config>["reload"]>>): void {
  if (reloaded.outcome === "same") return;
  const { outcome, ...facts } = reloaded;
  if (outcome === "wrong") logger.error("The configuration is invalid; keeping the previous one", facts);
  else logger.info("Reloaded the configuration", facts);
}
