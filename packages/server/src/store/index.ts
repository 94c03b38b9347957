// What the rest of the server sees of the store. That it is SQLite is known in this folder alone.
export { FreeSpace } from "./free-space.ts";
export { acquireHome } from "./home-lock.ts";
export { Housekeeping } from "./housekeeping.ts";
export { inspectStore } from "./inspect.ts";
export { StoreRefused } from "./refused.ts";
export { openSqliteStore as openStore } from "./sqlite.ts";
