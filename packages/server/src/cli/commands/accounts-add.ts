import type { Account, AddAccount, FoundLogins } from "@drover/core";
import type { Cli } from "../cli.ts";
import { CliError, type ExitCode, exit } from "../exit.ts";
import type { ServerOptions } from "../options.ts";
import { printJson, say } from "../print.ts";
import { confirm, readSecret } from "../secret.ts";
import { Client } from "../server/client.ts";
import { oneLine } from "../view/text.ts";

export interface AddOptions extends ServerOptions {
  readonly label?: string;
  readonly email?: string;
  readonly priority?: number;
  /** `-`: from standard input, or typed. */
  readonly token?: string;
  /** The name of a variable, whose value is read likewise; or `NAME=VALUE`. */
  readonly env?: string;
}

/** Adds an account with a secret that is read before the server is asked. */
export async function accountAdd(
  cli: Cli,
  { agent, options }: { readonly agent: string; readonly options: AddOptions },
): Promise<ExitCode> {
  const { label, email, priority } = options;
  const secret = await secretIn(cli, options);
  const client = await Client.connect(cli, { server: options.server });
  const input: AddAccount = {
    agent,
    ...(label === undefined ? {} : { label }),
    ...(email === undefined ? {} : { email }),
    ...(priority === undefined ? {} : { priority }),
    ...secret,
  };
  return added(cli, options, await client.post<Account>("/api/accounts", input));
}

async function secretIn(cli: Cli, { token, env }: AddOptions): Promise<Pick<AddAccount, "token" | "env">> {
  if ((token === undefined) === (env === undefined)) {
    const next = "Example: drover account add claude --token -";
    throw new CliError(exit.usage, "Specify either --token or --env.", next);
  }
  if (token !== undefined)
    return { token: token === "-" ? await readSecret(cli, "token") : warned(cli, token) };
  const [name = "", ...value] = (env ?? "").split("=");
  const given = value.length === 0 ? await readSecret(cli, `value of ${name}`) : warned(cli, value.join("="));
  return { env: { [name]: given } };
}

/** Other programs can read the arguments of a command, and shells keep them. */
function warned(cli: Cli, secret: string): string {
  say(
    cli,
    "Warning: a secret on the command line is visible to other programs. Use `--token -` to type or pipe it.",
  );
  return secret;
}

function added(cli: Cli, { json }: ServerOptions, account: Account): ExitCode {
  if (json) printJson(cli, account);
  else say(cli, `Added the account ${oneLine(account.label)} (${account.id}) for ${account.group}.`);
  return exit.done;
}

export interface DiscoverOptions extends ServerOptions {
  /** Add everything that was found, without asking. */
  readonly add?: boolean;
}

/** Lists the logins that agents have of their own, and adds those that a person wants. */
export async function accountDiscover(
  cli: Cli,
  { agent, options }: { readonly agent: string | undefined; readonly options: DiscoverOptions },
): Promise<ExitCode> {
  const client = await Client.connect(cli, { server: options.server });
  const body = agent === undefined ? {} : { agent };
  const { found } = await client.post<FoundLogins>("/api/accounts/discover", body);
  const fresh = found.filter(({ known }) => known === undefined);
  if (options.json) {
    const added = options.add ? await addAll(client, fresh) : undefined;
    printJson(cli, { found, ...(added ? { added } : {}) });
    return exit.done;
  }
  if (found.length === 0) say(cli, "No agent has a login of its own here.");
  for (const { group, path, known } of found) {
    say(cli, `${group}: ${oneLine(path)}${known === undefined ? "" : " (added already)"}`);
  }
  for (const login of fresh) {
    if (!options.add && !(await confirm(cli, `Add the login of ${login.group} as an account?`))) continue;
    for (const account of await addAll(client, [login])) added(cli, options, account);
  }
  if (fresh.length > 0 && !options.add && !cli.stdin.isTTY)
    say(cli, "`drover account discover --add` adds them.");
  return exit.done;
}

async function addAll(client: Client, logins: FoundLogins["found"]): Promise<Account[]> {
  const accounts: Account[] = [];
  for (const { agent, path } of logins)
    accounts.push(await client.post<Account>("/api/accounts", { agent, path }));
  return accounts;
}
