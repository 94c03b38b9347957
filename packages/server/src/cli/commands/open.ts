import type { Cli } from "../cli.ts";
import { type ExitCode, exit } from "../exit.ts";
import { say } from "../print.ts";
import { Client } from "../server/client.ts";
import { launchServer } from "../server/launch.ts";

/** `drover` alone: there is a server, and this link opens its page in one browser. */
export async function openPage(cli: Cli): Promise<ExitCode> {
  const running = await Client.connectIfRunning(cli);
  const { login } = running
    ? await running.post<{ login: string }>("/api/login/codes")
    : await launchServer(cli);
  say(cli, "Drover is running. Open this link; it logs one browser in and works once:");
  cli.stdout.write(`${login}\n`);
  return exit.done;
}
