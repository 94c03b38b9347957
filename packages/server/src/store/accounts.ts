import type { DatabaseSync } from "node:sqlite";
import { type Choice, chooseAccount, type Exhaustion, laterExhaustion } from "@drover/core";
import type { AccountChange, AccountRow, AccountUse } from "../ports.ts";

/** Writes run inside the writer's transactions. */
export interface AccountTable {
  all(): AccountRow[];
  add(account: AccountRow): void;
  change(id: string, change: AccountChange): void;
  remove(id: string): void;
  take(group: string, choice: Choice): AccountRow | undefined;
  markExhausted(id: string, exhausted: Exhaustion): void;
  uses(): AccountUse[];
}

export function prepareAccounts(db: DatabaseSync): AccountTable {
  const all = db.prepare("SELECT data FROM accounts ORDER BY id");
  const find = db.prepare("SELECT data FROM accounts WHERE id = ?");
  const add = db.prepare("INSERT INTO accounts (id, data) VALUES (?, ?)");
  const update = db.prepare("UPDATE accounts SET data = ? WHERE id = ?");
  const remove = db.prepare("DELETE FROM accounts WHERE id = ?");
  const uses = db.prepare(
    `SELECT id, name, coalesce(running, fixed) AS account FROM (
       SELECT s.id, s.name, s.key, s.runtime ->> '$.attempt.account' AS running, (SELECT data ->> 'account'
         FROM session_parts WHERE session = s.key AND part = 'about') AS fixed FROM sessions s
     ) WHERE account IS NOT NULL ORDER BY key`,
  );

  const accounts = () => all.all().map(({ data }) => JSON.parse(data as string) as AccountRow);

  function change(id: string, changed: (account: AccountRow) => AccountChange): void {
    const stored = find.get(id);
    if (!stored) return;
    const account = JSON.parse(stored["data"] as string) as AccountRow;
    const entries = Object.entries({ ...account, ...changed(account) });
    update.run(JSON.stringify(Object.fromEntries(entries.filter(([, value]) => value !== null))), id);
  }

  return {
    all: accounts,
    add: (account) => void add.run(account.id, JSON.stringify(account)),
    change: (id, changed) => change(id, () => changed),
    remove: (id) => void remove.run(id),
    take(group, choice) {
      const ofGroup = accounts().filter((account) => account.group === group);
      const chosen = chooseAccount(ofGroup, choice);
      if (!chosen) return undefined;
      const taken = { ...chosen, lastUsedAt: new Date(choice.now).toISOString() };
      update.run(JSON.stringify(taken), taken.id);
      return taken;
    },
    markExhausted: (id, exhausted) =>
      change(id, (account) => ({ exhausted: laterExhaustion(account.exhausted, exhausted) })),
    uses: () =>
      uses.all().map((row) => ({
        accountId: row["account"] as string,
        id: row["id"] as string,
        name: row["name"] as string,
      })),
  };
}
