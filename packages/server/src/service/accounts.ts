import type { Account, AddAccount, Deleted, DiscoverAccounts, FoundLogins, PatchAccount } from "@drover/core";
import type { Answer } from "./caller.ts";

/** The logins that agents of one vendor share. */
export interface AccountsService {
  list(): Promise<readonly Account[]>;
  get(id: string): Answer<Account>;
  add(input: AddAccount): Answer<Account>;
  patch(id: string, patch: PatchAccount): Answer<Account>;
  remove(id: string): Answer<Deleted>;
  /** Forgets that its limit was reached, and that its login was refused. */
  clear(id: string): Answer<Account>;
  /** Logins that agents have of their own. Adds none. */
  discover(input: DiscoverAccounts): Answer<FoundLogins>;
}
