import type { Account, Session } from "@drover/core";
import { CliError, exit, RejectedError } from "../exit.ts";
import { oneLine } from "../view/text.ts";
import type { Client } from "./client.ts";

export const accountPath = (id: string): string => `/api/accounts/${encodeURIComponent(id)}`;

export const listAccounts = async (client: Client): Promise<readonly Account[]> =>
  (await client.get<{ accounts: readonly Account[] }>("/api/accounts")).accounts;

/** The account that a person named by its id, the start of its id, or its label. */
export async function resolveAccount(client: Client, reference: string): Promise<Account> {
  const accounts = await listAccounts(client);
  const exact = accounts.filter(({ id, label }) => id === reference || label === reference);
  const found =
    exact.length > 0 || !reference.startsWith("acc_")
      ? exact
      : accounts.filter(({ id }) => id.startsWith(reference));
  const [account] = found;
  if (account && found.length === 1) return account;
  if (account) {
    const listed = found.map(({ id, group }) => `${id} (${group})`).join(", ");
    throw new CliError(
      exit.conflict,
      `Several accounts fit "${oneLine(reference)}".`,
      `Use an id: ${listed}`,
    );
  }
  const message = `There is no account "${oneLine(reference)}".`;
  throw new CliError(exit.notFound, message, "`drover account ls` lists them.");
}

/** What people call the accounts of these sessions; undefined if none of them has any. */
export async function accountLabels(
  client: Client,
  sessions: readonly Pick<Session, "account">[],
): Promise<ReadonlyMap<string, string> | undefined> {
  if (sessions.every(({ account }) => account === undefined)) return undefined;
  // An agent that lists sessions sees their accounts' ids.
  const accounts = await listAccounts(client).catch((error: unknown) => {
    if (error instanceof RejectedError) return [];
    throw error;
  });
  return new Map(accounts.map(({ id, label }) => [id, oneLine(label)]));
}
