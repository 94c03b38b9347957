/** What only the account's own processes may see. */
export interface AccountSecret {
  /** The value of the agent's own variable. */
  readonly token?: string | undefined;
  readonly refreshToken?: string | undefined;
  /** Variables that a person named. */
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/** Keeps the secrets of accounts, outside of the store. */
export interface Vault {
  /** Undefined if it has none, for example because a backup was restored without them. */
  read(accountId: string): Promise<AccountSecret | undefined>;
  save(accountId: string, secret: AccountSecret): Promise<void>;
  remove(accountId: string): Promise<void>;
  /** The accounts that it has a secret of. */
  ids(): Promise<string[]>;
}

/** An agent's own login, as it was found in a file. */
export interface FoundLogin {
  readonly path: string;
  readonly expiresAt?: string;
  /** It has ended, and the agent's program cannot renew it. */
  readonly isExpired: boolean;
}
