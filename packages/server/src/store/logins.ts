import type { LoginRecords, Store } from "../ports.ts";

/** The part of the store that logins need. */
export const loginStore = (store: Store): LoginRecords => ({
  logins: () => store.logins(),
  addLogin: (login) => store.addLogin(login),
  useLogin: (id, lastUsedAt) => store.useLogin(id, lastUsedAt),
  removeLogins: (ids) => store.removeLogins(ids),
});
