import type { DatabaseSync } from "node:sqlite";
import type { PendingWorkspace } from "../ports.ts";

export interface PendingTable {
  all(): PendingWorkspace[];
  put(pending: PendingWorkspace): void;
  remove(sessionId: string): void;
}

/** Workspaces that no session has. Writes run inside the writer's transactions. */
export function preparePending(db: DatabaseSync): PendingTable {
  const all = db.prepare("SELECT session_id, workspace, is_unused FROM pending_workspaces");
  const put = db.prepare(
    `INSERT INTO pending_workspaces (session_id, workspace, is_unused) VALUES (?, ?, ?)
     ON CONFLICT (session_id) DO UPDATE SET workspace = excluded.workspace, is_unused = excluded.is_unused`,
  );
  const remove = db.prepare("DELETE FROM pending_workspaces WHERE session_id = ?");
  return {
    all: () =>
      all.all().map((row) => ({
        sessionId: row["session_id"] as string,
        workspace: JSON.parse(row["workspace"] as string),
        isUnused: row["is_unused"] === 1,
      })),
    put: ({ sessionId, workspace, isUnused }) =>
      void put.run(sessionId, JSON.stringify(workspace), isUnused ? 1 : 0),
    remove: (sessionId) => void remove.run(sessionId),
  };
}
