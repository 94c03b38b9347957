import { resolve } from "node:path";
import type { Cli, ServeOptions } from "../cli.ts";
import { CliError, type ExitCode, exit } from "../exit.ts";
import { printJson, say } from "../print.ts";
import { launchServer } from "../server/launch.ts";
import { readServerFile, serveArguments } from "../server/server-file.ts";

/** Starts the server in a separate process and returns when it listens. */
export async function serveDetached(cli: Cli, options: ServeOptions): Promise<ExitCode> {
  const { home } = cli.settings;
  const file = await readServerFile(home.serverFile);
  if (file.state === "running") {
    const { pid, url } = file.server;
    throw new CliError(
      exit.noServer,
      `A server (pid ${pid}, ${url}) is already serving ${home.directory}.`,
      "Use that one, or stop it with `drover down`.",
    );
  }
  const { config } = options;
  const absolute = config === undefined ? {} : { config: resolve(cli.settings.cwd, config) };
  const listening = await launchServer(cli, serveArguments({ ...options, ...absolute }));
  if (options.json) printJson(cli, listening);
  else {
    say(cli, `Drover is listening on ${listening.url} (pid ${listening.pid}). Log: ${home.serverLog}`);
    cli.stdout.line(listening.login);
  }
  return exit.done;
}
