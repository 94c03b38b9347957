import { type Account, conditionOf, isExhausted, isExpired } from "@drover/core";
import type { AccountRow, AccountUse } from "../../ports.ts";

/** An account as people see it. */
export function accountView(account: AccountRow, uses: readonly AccountUse[]): Account {
  const { refusal, exhausted, expiresAt, ...shown } = account;
  const now = Date.now();
  const reason = refusal ?? (isExpired(expiresAt, now) ? "Its token has expired; add a new one" : undefined);
  const ofIt = uses.filter(({ accountId }) => accountId === account.id);
  return {
    ...shown,
    valid: conditionOf({ ...account, enabled: true }, now) !== "invalid",
    ...(reason === undefined ? {} : { reason }),
    ...(isExhausted(account, now) && exhausted ? { exhausted } : {}),
    sessions: ofIt.map(({ id, name }) => ({ id, name })),
  };
}
