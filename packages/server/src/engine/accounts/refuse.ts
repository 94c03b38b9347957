import { accountGroupOf, type Preset, type Rejection, type Result, reject } from "@drover/core";
import type { EngineDeps } from "../deps.ts";
import { notFound } from "../not-found.ts";

/** Rejects an account that the agent cannot use; undefined if it can, or if none is chosen. */
export async function refuseAccount(
  { store }: Pick<EngineDeps, "store">,
  preset: Preset,
  accountId: string | null | undefined,
): Promise<Result<never, Rejection> | undefined> {
  if (accountId === undefined || accountId === null) return undefined;
  const account = (await store.accounts()).find(({ id }) => id === accountId);
  if (!account) return notFound("account", accountId);
  if (preset.account && account.group === accountGroupOf(preset)) return undefined;
  const message = `The account ${account.label} is for ${account.group}, which ${preset.name} cannot use; choose another one`;
  return reject("BAD_REQUEST", message, { issues: [{ path: "account", message }] });
}
