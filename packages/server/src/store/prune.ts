import type { DatabaseSync } from "node:sqlite";
import { isOfHttp } from "./schema.ts";
import type { GroupWriter } from "./writer.ts";

/** Rows and pages per transaction: few enough (a few ms) that a busy server does not stall. */
const ROWS_AT_ONCE = 2_000;
const PAGES_AT_ONCE = 512;

export interface Pruning {
  prunable(before: string): string[];
  prune(sessionId: string): Promise<void>;
  pruneReceipts(before: string): Promise<void>;
}

/**
 * Permanently removes what is no longer needed: logs of deleted sessions and old receipts.
 *
 * A log is unreadable from the first step on; an interrupted prune continues where it stopped, because the session is
 * listed as prunable until its last row is gone.
 */
export function preparePruning(db: DatabaseSync, writer: GroupWriter): Pruning {
  const prunable = db.prepare("SELECT id FROM deleted_sessions WHERE deleted_at < ? ORDER BY deleted_at");
  const begin = db.prepare("UPDATE deleted_sessions SET pruning = 1 WHERE id = ? RETURNING key");
  const some = (table: string, owner: string) =>
    db.prepare(
      `DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table} WHERE ${owner} = ? LIMIT ${ROWS_AT_ONCE})`,
    );
  const steps = [some("events", "stream"), some("items", "session"), some("proposals", "session")];
  // `send:SESSION:…` (ports.ts); a semicolon follows the colon in ASCII and ends the range.
  const receipts = db.prepare("DELETE FROM receipts WHERE key > ? AND key < ?");
  const ofHttp = db.prepare(
    `DELETE FROM receipts WHERE rowid IN (
       SELECT rowid FROM receipts INDEXED BY receipts_of_http WHERE ${isOfHttp} AND at < ? LIMIT ${ROWS_AT_ONCE})`,
  );
  const end = db.prepare("DELETE FROM deleted_sessions WHERE key = ?");
  const freePages = db.prepare("PRAGMA freelist_count");

  const step = <T>(work: () => T) => writer.write("output", work);

  return {
    prunable: (before) => prunable.all(before).map((row) => row["id"] as string),
    async prune(sessionId) {
      const key = await step(() => begin.get(sessionId)?.["key"] as number | undefined);
      if (key === undefined) return;
      for (const rows of steps) {
        while (Number(await step(() => rows.run(key).changes)) > 0);
      }
      await step(() => {
        receipts.run(`send:${sessionId}:`, `send:${sessionId};`);
        end.run(key);
      });
      while (Number(freePages.get()?.["freelist_count"]) > 0) {
        await step(() => db.exec(`PRAGMA incremental_vacuum(${PAGES_AT_ONCE})`));
      }
    },
    async pruneReceipts(before) {
      while (Number(await step(() => ofHttp.run(before).changes)) > 0);
    },
  };
}
