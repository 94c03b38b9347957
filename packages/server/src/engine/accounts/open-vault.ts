import type { AccountSecret } from "../../ports.ts";
import type { EngineDeps } from "../deps.ts";

/** The values that must appear in no message. */
export const valuesOf = ({ token, refreshToken, env = {} }: AccountSecret): string[] =>
  [token, refreshToken, ...Object.values(env)].filter((value) => value !== undefined);

/** Learns what must be redacted, and removes secrets whose accounts were never stored, or are removed. */
export async function openVault({ store, vault, secrets, logger }: EngineDeps): Promise<void> {
  const known = new Set((await store.accounts()).map(({ id }) => id));
  for (const id of await vault.ids()) {
    if (!known.has(id)) await vault.remove(id);
    const secret = await vault.read(id).catch((error: unknown) => {
      logger.warn("The secret of an account cannot be read", { account: id, error: String(error) });
      return undefined;
    });
    if (secret) secrets.add(valuesOf(secret));
  }
}
