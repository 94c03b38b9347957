import type { Cli } from "../cli.ts";
import { type ExitCode, exit } from "../exit.ts";
import { printJson, say } from "../print.ts";
import { Client } from "../server/client.ts";
import { launchServer } from "../server/launch.ts";

/** `drover` alone: there is a server, and this link opens its page in one browser. */
export async function openPage(cli: Cli, { json }: { json: boolean }): Promise<ExitCode> {
  const running = await Client.connectIfRunning(cli);
  if (!running) await launchServer(cli);
  const client = running ?? (await Client.connect(cli));
  const answer = await client.post<{ code: string; login: string }>("/api/login/codes");
  if (json) {
    printJson(cli, answer);
    return exit.done;
  }
  say(cli, "Drover is running. Open this link; it logs one browser in and works once:");
  cli.stdout.line(answer.login);
  return exit.done;
}
