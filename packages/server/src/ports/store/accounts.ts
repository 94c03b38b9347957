import type { AccountStanding, Choice, Exhaustion } from "@drover/core";

/** An account without its secrets, which only the vault has. */
export interface AccountRow extends AccountStanding {
  readonly group: string;
  readonly label: string;
  readonly email?: string;
  readonly kind: "token" | "env" | "login";
  /** The names of its variables. */
  readonly env?: readonly string[];
  /** Of an agent's own login: the file that has it. */
  readonly path?: string;
}

/** Null removes a value. */
export type AccountChange = {
  readonly [K in keyof Omit<AccountRow, "id" | "group" | "kind" | "createdAt" | "lastUsedAt">]?:
    | AccountRow[K]
    | null;
};

/** A session that a person gave an account, or whose turn runs on one. */
export interface AccountUse {
  readonly accountId: string;
  readonly id: string;
  readonly name: string;
}

/** What is known about accounts. Implementations pass test/contract/accounts.ts. */
export interface Accounts {
  /** The oldest first. */
  accounts(): Promise<AccountRow[]>;
  addAccount(account: AccountRow): Promise<void>;
  /** Does nothing if the account has been removed. */
  changeAccount(id: string, change: AccountChange): Promise<void>;
  removeAccount(id: string): Promise<void>;
  /** Chooses an account of a group and notes its use, in one transaction. Undefined if none can be used. */
  takeAccount(group: string, choice: Choice): Promise<AccountRow | undefined>;
  /** Of two reports, the later end holds. Does nothing if the account has been removed. */
  markAccountExhausted(id: string, exhausted: Exhaustion): Promise<void>;
  accountUses(): Promise<AccountUse[]>;
}
