// The `drover` command: hands the command line to the CLI, with what commands need of this process. Modules that only
// some commands use are loaded on demand.
import { resolve } from "node:path";
import type { Host, Parts } from "./cli/cli.ts";
import { CliError, exit } from "./cli/exit.ts";
import { reportBug, runCli } from "./cli/program.ts";
import { clientEnvironment, findHome, gitEnvironment, loadConfig, serverEnvironment } from "./config.ts";
import { version } from "./version.ts";

const programs = import.meta.dirname;
let isServing = false;

const parts: Parts = {
  async serve(options, output) {
    const { serve } = await import("./serve.ts");
    isServing = true;
    return serve(options, output);
  },
  async loadConfig(options) {
    const { shippedPresets } = await import("./drivers/presets.ts");
    return loadConfig({ ...options, shipped: shippedPresets(programs) });
  },
  async driver(preset) {
    const { createDrivers } = await import("./drivers/index.ts");
    const { agents } = findHome();
    const drivers = createDrivers({ version, agents, programs, onUnknown: () => undefined });
    return drivers[preset.driver];
  },
  async inspectStore() {
    const { inspectStore } = await import("./store/index.ts");
    return inspectStore(findHome().database);
  },
  async openStore() {
    const { openStore, StoreRefused } = await import("./store/index.ts");
    return openStore({ file: findHome().database, beside: true }).catch((error: unknown) => {
      throw error instanceof StoreRefused ? new CliError(exit.usage, error.message) : error;
    });
  },
  async forgetCheckpoints(directory) {
    const { forgetCheckpoints } = await import("./workspace/forget-checkpoints.ts");
    return forgetCheckpoints(directory, gitEnvironment());
  },
  async makeDemoProject(directory, order) {
    const { makeDemoProject } = await import("./workspace/demo-project.ts");
    return makeDemoProject(directory, { environment: gitEnvironment(), scratch: findHome().scratch }, order);
  },
};

/**
 * For a server started from here. Without the mark of a session that may have started us: once this command has ended,
 * the server is not one of that session's processes and outlives its stop.
 */
function environmentOfServer(cwd: string): Record<string, string> {
  const { DROVER_SESSION: _mark, DROVER_CONFIG: config, ...environment } = serverEnvironment();
  return {
    ...environment,
    DROVER_HOME: findHome().directory,
    ...(config ? { DROVER_CONFIG: resolve(cwd, config) } : {}),
  };
}

const host: Host = {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  settings: {
    ...clientEnvironment(),
    version,
    cwd: process.cwd(),
    command: [process.execPath, ...process.execArgv, process.argv[1] ?? ""],
    colour: !serverEnvironment()["NO_COLOR"],
    home: findHome(),
    programs,
    serverEnvironment: environmentOfServer(process.cwd()),
    // Long enough for an upgrade or a crash and the restart of a server with a long log.
    patienceMs: 60_000,
  },
  parts,
  onInterrupt(listener) {
    process.on("SIGINT", listener);
    return { [Symbol.dispose]: () => process.off("SIGINT", listener) };
  },
};

// `drover logs | head`: the reader has seen enough. A server without a reader keeps serving.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  if (!isServing) process.exit(exit.done);
});

process.on("uncaughtException", (error) => process.exit(reportBug(host, error)));

process.exit(await runCli(process.argv.slice(2), host));
