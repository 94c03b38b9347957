import { resolve } from "node:path";
import type { Cli, ServeOptions } from "../cli.ts";
import { CliError, type ExitCode, exit } from "../exit.ts";
import { printJson, say } from "../print.ts";
import { launchServer } from "../server/launch.ts";
import { readServerFile } from "../server/server-file.ts";

/** Starts the server as a process of its own and comes back when it listens. */
export async function serveDetached(cli: Cli, options: ServeOptions): Promise<ExitCode> {
  const { home } = cli.settings;
  const file = await readServerFile(home.serverFile);
  if (file.state === "running") {
    const { pid, url } = file.server;
    throw new CliError(
      exit.noServer,
      `A server (pid ${pid}, ${url}) is serving ${home.directory} already.`,
      "Use that one, or end it with `drover down`.",
    );
  }
  const listening = await launchServer(cli, serveArguments(cli, options));
  if (options.json) printJson(cli, listening);
  else {
    say(cli, `Drover listens on ${listening.url} (pid ${listening.pid}). Its log: ${home.serverLog}`);
    cli.stdout.line(listening.login);
  }
  return exit.done;
}

function serveArguments(cli: Cli, { port, config, stopAgents }: ServeOptions): string[] {
  return [
    ...(port === undefined ? [] : ["--port", String(port)]),
    ...(config === undefined ? [] : ["--config", resolve(cli.settings.cwd, config)]),
    ...(stopAgents ? ["--stop-agents"] : []),
  ];
}
