import type { Cli } from "../cli.ts";
import { type ExitCode, exit } from "../exit.ts";
import { say } from "../print.ts";
import { launchServer } from "../server/launch.ts";
import { findServer } from "../server/locate.ts";

/** `drover` alone: there is a server, and this is its page. */
export async function openPage(cli: Cli): Promise<ExitCode> {
  const running = await findServer(cli);
  if (running) {
    say(
      cli,
      `Drover is running. A browser that is not logged in yet takes the token in ${cli.settings.home.token}.`,
    );
    cli.stdout.write(`${new URL("/", running.url)}\n`);
    return exit.done;
  }
  const { login } = await launchServer(cli);
  say(cli, "Drover is running. Open this link; it logs one browser in and works once:");
  cli.stdout.write(`${login}\n`);
  return exit.done;
}
