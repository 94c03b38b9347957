import type { Account, PatchAccount } from "@drover/core";
import type { Cli } from "../cli.ts";
import { type ExitCode, exit } from "../exit.ts";
import type { ServerOptions } from "../options.ts";
import { printJson, say } from "../print.ts";
import { accountPath, listAccounts, resolveAccount } from "../server/account-reference.ts";
import { Client } from "../server/client.ts";
import { sessionPath } from "../server/paths.ts";
import { resolveSession } from "../server/session-reference.ts";
import { style } from "../terminal/styled.ts";
import { printTable } from "../view/table.ts";
import { oneLine } from "../view/text.ts";
import { age, clockTime } from "../view/words.ts";

interface Named {
  /** Id, start of the id, or label. */
  readonly account: string;
  readonly options: ServerOptions;
}

/** Lists accounts with what prevents their use. */
export async function accountLs(cli: Cli, options: ServerOptions): Promise<ExitCode> {
  const client = await Client.connect(cli, { server: options.server });
  const accounts = await listAccounts(client);
  if (options.json) {
    printJson(cli, { accounts });
    return exit.done;
  }
  if (accounts.length === 0) {
    say(cli, "No accounts: agents use their own logins. `drover account add AGENT --token -` adds one.");
    return exit.done;
  }
  printTable(cli.stdout, {
    headings: ["LABEL", "GROUP", "STATE", "LAST USED", "ID"],
    rows: accounts.map((account) => [
      oneLine(account.label),
      account.group,
      stateOf(account),
      account.lastUsedAt === undefined ? "never" : `${age(account.lastUsedAt)} ago`,
      account.id,
    ]),
  });
  return exit.done;
}

/** What a person has to know first. */
function stateOf({ enabled, valid, exhausted }: Account): string {
  if (!enabled) return "disabled";
  if (!valid) return "not valid";
  return exhausted ? `used up until ${clockTime(exhausted.until) ?? exhausted.until}` : "ready";
}

export async function accountShow(cli: Cli, { account: wanted, options }: Named): Promise<ExitCode> {
  const client = await Client.connect(cli, { server: options.server });
  const account = await resolveAccount(client, wanted);
  if (options.json) {
    printJson(cli, account);
    return exit.done;
  }
  const facts = factsOf(account);
  const width = Math.max(...facts.map(([label]) => label.length));
  cli.stdout.lines(facts.map(([label, value]) => [style.dim(label.padEnd(width)), `  ${value}`]));
  return exit.done;
}

function factsOf(account: Account): [string, string][] {
  const { id, group, label, email, kind, env, path, priority, reason, lastUsedAt, sessions } = account;
  const facts: [string, string | undefined][] = [
    ["label", oneLine(label)],
    ["id", id],
    ["group", group],
    ["email", email && oneLine(email)],
    ["kind", [kind, ...(env ?? []), ...(path === undefined ? [] : [path])].map(oneLine).join(" ")],
    ["state", stateOf(account)],
    ["reason", reason && oneLine(reason)],
    ["priority", priority === 0 ? undefined : String(priority)],
    ["last used", lastUsedAt === undefined ? "never" : `${age(lastUsedAt)} ago`],
    ["used by", sessions.length === 0 ? undefined : sessions.map(({ name }) => name).join(", ")],
  ];
  return facts.filter((fact): fact is [string, string] => fact[1] !== undefined);
}

export async function accountRm(cli: Cli, { account: wanted, options }: Named): Promise<ExitCode> {
  const client = await Client.connect(cli, { server: options.server });
  const { id, label } = await resolveAccount(client, wanted);
  const answer = await client.delete(accountPath(id));
  if (options.json) printJson(cli, answer);
  else say(cli, `Removed the account ${oneLine(label)} and its secrets.`);
  return exit.done;
}

/** Enables or disables an account. */
export async function accountEnable(
  cli: Cli,
  { account: wanted, options, enabled }: Named & { readonly enabled: boolean },
): Promise<ExitCode> {
  const client = await Client.connect(cli, { server: options.server });
  const { id } = await resolveAccount(client, wanted);
  const patch: PatchAccount = { enabled };
  return shown(cli, options, await client.patch<Account>(accountPath(id), patch));
}

/** Forgets that an account's limit was reached, or that its login was refused. */
export async function accountClear(cli: Cli, { account: wanted, options }: Named): Promise<ExitCode> {
  const client = await Client.connect(cli, { server: options.server });
  const { id } = await resolveAccount(client, wanted);
  return shown(cli, options, await client.post<Account>(`${accountPath(id)}/clear`));
}

function shown(cli: Cli, { json }: ServerOptions, account: Account): ExitCode {
  if (json) printJson(cli, account);
  else say(cli, `The account ${oneLine(account.label)} is ${stateOf(account)}.`);
  return exit.done;
}

export interface UseOptions extends ServerOptions {
  readonly session: string;
}

/** Gives a session an account, which it keeps, or lets Drover choose one for each turn. */
export async function accountUse(
  cli: Cli,
  { account: wanted, options }: { readonly account: string | undefined; readonly options: UseOptions },
): Promise<ExitCode> {
  const client = await Client.connect(cli, { server: options.server });
  const account = wanted === undefined ? undefined : await resolveAccount(client, wanted);
  const path = sessionPath(await resolveSession(client, options.session));
  const session = await client.patch<{ name: string }>(path, { account: account?.id ?? null });
  if (options.json) printJson(cli, session);
  else if (account)
    say(cli, `${session.name} uses the account ${oneLine(account.label)} from its next turn on.`);
  else say(cli, `Drover chooses the account of ${session.name} for each turn.`);
  return exit.done;
}
