import type { LoginInfo } from "@drover/core";
import type { Cli } from "../cli.ts";
import { CliError, type ExitCode, exit } from "../exit.ts";
import type { ServerOptions } from "../options.ts";
import { printJson, say } from "../print.ts";
import { Client } from "../server/client.ts";
import { printTable } from "../view/table.ts";
import { age, count } from "../view/words.ts";

export interface RevokeOptions extends ServerOptions {
  readonly all?: boolean;
}

export async function loginLs(cli: Cli, options: ServerOptions): Promise<ExitCode> {
  const client = await Client.connect(cli, { server: options.server });
  const answer = await client.get<{ logins: readonly LoginInfo[] }>("/api/logins");
  if (options.json) {
    printJson(cli, answer);
    return exit.done;
  }
  if (answer.logins.length === 0) {
    say(cli, "No browser is logged in. `drover` prints a login link.");
    return exit.done;
  }
  const rows = answer.logins.map(({ id, label, createdAt, lastUsedAt }) => [
    id,
    lastUse(lastUsedAt),
    `${age(createdAt)} ago`,
    label,
  ]);
  printTable(cli.stdout, { headings: ["ID", "LAST USED", "LOGGED IN", "BROWSER"], rows });
  say(cli, "drover login revoke ID · drover login revoke --all");
  return exit.done;
}

/** The last use is stored at most once an hour. */
const lastUse = (lastUsedAt: string) =>
  Date.now() - Date.parse(lastUsedAt) < 3_600_000 ? "within 1 h" : `${age(lastUsedAt)} ago`;

export async function loginRevoke(
  cli: Cli,
  { id, options }: { id: string | undefined; options: RevokeOptions },
): Promise<ExitCode> {
  if ((id === undefined) === (options.all !== true)) {
    const next = "`drover login ls` lists the ids; `drover login revoke --all` revokes every login.";
    throw new CliError(exit.usage, "Specify either the id of a login or --all.", next);
  }
  const client = await Client.connect(cli, { server: options.server });
  const answer = await client.delete<{ revoked?: number }>(`/api/logins${id === undefined ? "" : `/${id}`}`);
  if (options.json) printJson(cli, answer);
  else say(cli, id === undefined ? `Revoked ${count(answer.revoked ?? 0, "login")}.` : `Revoked ${id}.`);
  return exit.done;
}
