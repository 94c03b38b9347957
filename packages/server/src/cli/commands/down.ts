import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { isAlive } from "../../process/identity.ts";
import type { Cli } from "../cli.ts";
import { CliError, type ExitCode, exit } from "../exit.ts";
import { printJson, say } from "../print.ts";
import { poll } from "../server/poll.ts";
import { readServerFile } from "../server/server-file.ts";
import { Screen } from "../view/screen.ts";

export interface DownOptions {
  readonly stopAgents?: boolean;
  readonly json?: boolean;
}

/** A server stops within 5 s of TERM; stopping every agent may take some seconds more. */
const stopTimeoutMs = 10_000;

/** Stops the server of this home. Agents keep running, except with --stop-agents. */
export async function down(cli: Cli, options: DownOptions): Promise<ExitCode> {
  const { home } = cli.settings;
  const file = await readServerFile(home.serverFile);
  if (file.state !== "running") {
    if (options.json) printJson(cli, { stopped: false });
    else say(cli, `No server is running on ${home.directory}.`);
    return exit.done;
  }
  const { server } = file;
  // A signal carries no options: the server checks for this file when it gets TERM, and removes it when its agents are
  // stopped.
  if (options.stopAgents) await writeFile(home.stopAgents, "", { mode: 0o600 });
  using screen = new Screen(cli);
  screen.busy("waiting for the server to stop");
  process.kill(server.pid, "SIGTERM");
  const hasStopped = await poll(() => !isAlive(server) || undefined, stopTimeoutMs);
  screen.busy("");
  if (!hasStopped) {
    throw new CliError(
      exit.failed,
      `The server (pid ${server.pid}) did not stop within ${stopTimeoutMs / 1000} s.`,
      `See ${home.serverLog}. kill -9 ${server.pid} is safe: nothing that was acknowledged is lost.`,
    );
  }
  if (options.stopAgents && existsSync(home.stopAgents)) {
    throw new CliError(
      exit.failed,
      "The server stopped before all of its agents did.",
      "The next server stops the others when it starts: run `drover serve --detach`, then `drover down`.",
    );
  }
  if (options.json) printJson(cli, { stopped: true, pid: server.pid });
  else
    say(
      cli,
      options.stopAgents ? "Stopped the server and its agents." : "Stopped the server. Agents keep running.",
    );
  return exit.done;
}
