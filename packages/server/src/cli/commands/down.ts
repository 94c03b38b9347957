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

/** A server ends within 5 s of TERM; ending every agent may take its grace besides. */
const endTimeoutMs = 10_000;

/** Ends the server of this home. Agents keep running unless they are to end, too. */
export async function down(cli: Cli, options: DownOptions): Promise<ExitCode> {
  const { home } = cli.settings;
  const file = await readServerFile(home.serverFile);
  if (file.state !== "running") {
    if (options.json) printJson(cli, { stopped: false });
    else say(cli, `No server is running on ${home.directory}.`);
    return exit.done;
  }
  const { server } = file;
  // The one way to tell a server that is about to end: it looks for this file when TERM comes, and removes it.
  if (options.stopAgents) await writeFile(home.stopAgents, "", { mode: 0o600 });
  using screen = new Screen(cli);
  screen.busy("waiting for the server to end");
  process.kill(server.pid, "SIGTERM");
  const hasEnded = await poll(() => !isAlive(server) || undefined, endTimeoutMs);
  screen.busy("");
  if (!hasEnded) {
    throw new CliError(
      exit.failed,
      `The server (pid ${server.pid}) has not ended within ${endTimeoutMs / 1000} s.`,
      `Look at ${home.serverLog}; kill -9 ${server.pid} loses nothing that was acknowledged.`,
    );
  }
  if (options.json) printJson(cli, { stopped: true, pid: server.pid });
  else
    say(cli, `The server has ended; ${options.stopAgents ? "so have its agents" : "agents keep running"}.`);
  return exit.done;
}
