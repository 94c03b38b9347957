// Accounts of agents that are part of Drover: each test takes an agent of its own, whose accounts are a group of their own.
import type { Account, Session } from "@drover/core";
import { environmentOf } from "../kit/processes.ts";
import { type Conversation, demoProgram, processesOfSession, type Rig } from "./support.ts";

/** The variable that carries the account of these agents. */
export const variable = "DEMO_ACCOUNT";

/** The demo agent under other names: a limit belongs to one account, and the demo agent keeps it like a vendor. */
export const demoAgents = (...names: readonly string[]) =>
  Object.fromEntries(
    names.map((name) => [name, { name, driver: "acp", ...demoProgram, account: { env: variable } }]),
  );

/** Two accounts are never the same login, whatever the test calls them. */
let added = 0;

export const tokenOf = (label: string): string => `token-of-${label}-${++added}`;

export const addAccount = (
  { client }: Rig,
  agent: string,
  { label, token = tokenOf(label) }: { readonly label: string; readonly token?: string },
): Promise<Account> => client.post<Account>("/api/accounts", { agent, label, token });

export async function addAccounts<L extends string>(
  rig: Rig,
  agent: string,
  ...labels: readonly L[]
): Promise<Readonly<Record<L, Account>>> {
  const accounts = new Map<string, Account>();
  for (const label of labels) accounts.set(label, await addAccount(rig, agent, { label }));
  return Object.fromEntries(accounts) as Record<L, Account>;
}

export const accountOf = (rig: Rig, { id }: Pick<Account, "id">): Promise<Account> =>
  rig.client.get(`/api/accounts/${id}`);

/** Which account each of these turns ran on. */
export async function accountsOfTurns(
  session: Conversation,
  ...prompts: readonly string[]
): Promise<(string | undefined)[]> {
  const accounts: (string | undefined)[] = [];
  for (const prompt of prompts) {
    await session.turn(prompt);
    accounts.push((await session.get()).account);
  }
  return accounts;
}

/** The value of the account's variable in the environment of each process of a session. */
export const variablesIn = (rig: Rig, { id }: Pick<Session, "id">): (string | undefined)[] =>
  processesOfSession(rig, id).map(({ pid }) => environmentOf(pid)?.get(variable));
