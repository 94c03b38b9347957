import { Fault, type Preset } from "@drover/core";
import type { AccountRow } from "../../ports.ts";
import type { EngineDeps } from "../deps.ts";

export type AccountVariables = Readonly<Record<string, string>>;

/**
 * What an account adds to the environment of its processes. An agent's own login adds nothing, and its program keeps
 * using its own file. Throws a Fault if the login is gone.
 */
export async function accountVariables(
  { vault, ownLogin }: Pick<EngineDeps, "vault" | "ownLogin">,
  preset: Preset,
  account: AccountRow,
): Promise<AccountVariables> {
  const { id, kind, path } = account;
  if (kind === "login") {
    const found = await ownLogin(preset);
    if (found?.path !== path) throw unusable(`There is no login in ${path} any more`);
    if (found?.isExpired) throw unusable(`The login in ${path} has expired`);
    return {};
  }
  const secret = await vault.read(id).catch((error: unknown) => {
    throw unusable(error instanceof Error ? error.message : String(error));
  });
  if (secret?.env) return secret.env;
  const variable = preset.account?.env;
  if (secret?.token === undefined || variable === undefined) throw unusable("It has no secret any more");
  return { [variable]: secret.token };
}

/** The variables of the account that a process of this session runs on; undefined if it uses the agent's own login. */
export async function variablesOf(
  deps: EngineDeps,
  preset: Preset,
  accountId: string | undefined,
): Promise<AccountVariables | undefined> {
  if (accountId === undefined) return undefined;
  const account = (await deps.store.accounts()).find(({ id }) => id === accountId);
  // The session's next turn chooses another one.
  return account && accountVariables(deps, preset, account);
}

const unusable = (what: string): Fault => new Fault("AUTH_FAILED", what, { retry: "other-account" });
