import type { DatabaseSync } from "node:sqlite";

/** One step of the schema; it runs inside a transaction that is rolled back if it throws. */
export type Migration = (db: DatabaseSync) => void;
