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
      all.all().map((row) => {
        const { restored, ...workspace } = JSON.parse(row["workspace"] as string);
        const sessionId = row["session_id"] as string;
        return { sessionId, workspace, isUnused: row["is_unused"] === 1, ...(restored ? { restored } : {}) };
      }),
    put: ({ sessionId, workspace, isUnused, restored }) =>
      void put.run(sessionId, JSON.stringify({ ...workspace, restored }), isUnused ? 1 : 0),
    remove: (sessionId) => void remove.run(sessionId),
  };
}
