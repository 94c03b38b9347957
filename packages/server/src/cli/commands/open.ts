import type { Cli } from "../cli.ts";
import { type ExitCode, exit } from "../exit.ts";
import { printJson, say } from "../print.ts";
import { Client } from "../server/client.ts";
import { restartServer } from "../server/launch.ts";

/** `drover` without a command: makes sure a server is running and prints a login link. */
export async function openPage(cli: Cli, { json }: { json: boolean }): Promise<ExitCode> {
  const running = await Client.connectIfRunning(cli);
  if (!running) await restartServer(cli);
  const client = running ?? (await Client.connect(cli));
  const answer = await client.post<{ code: string; login: string }>("/api/login/codes");
  if (json) {
    printJson(cli, answer);
    return exit.done;
  }
  say(cli, "Drover is running. Open this link in a browser to log in; it works once:");
  cli.stdout.line(answer.login);
  return exit.done;
}
