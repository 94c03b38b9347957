// The store as the rest of the server sees it. Only this folder knows that it is SQLite.
export { FreeSpace } from "./free-space.ts";
export { acquireHome } from "./home-lock.ts";
export { Housekeeping } from "./housekeeping.ts";
export { inspectStore } from "./inspect.ts";
export { loginStore } from "./logins.ts";
export { StoreRefused } from "./refused.ts";
export { openSqliteStore as openStore } from "./sqlite.ts";
