import type { DatabaseSync } from "node:sqlite";
import type { Alarm, AlarmChanges, AlarmKind, Due } from "../ports.ts";

/** Writes run inside the writer's transactions. */
export interface AlarmTable {
  apply(sessionId: string, changes: AlarmChanges): void;
  removeOf(sessionId: string): void;
  all(): Alarm[];
  saveRemaining(remaining: readonly { readonly id: string; readonly remainingMs: number }[]): void;
  removeFired(alarm: Pick<Alarm, "id" | "createdAt">): void;
}

export function prepareAlarms(db: DatabaseSync): AlarmTable {
  const put = db.prepare(
    `INSERT OR REPLACE INTO alarms (id, session_id, kind, created_at, duration_ms, remaining_ms, due_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  const remove = db.prepare("DELETE FROM alarms WHERE id = ?");
  const removeOf = db.prepare("DELETE FROM alarms WHERE session_id = ?");
  const removeFired = db.prepare("DELETE FROM alarms WHERE id = ? AND created_at = ?");
  const all = db.prepare("SELECT * FROM alarms ORDER BY rowid");
  const save = db.prepare("UPDATE alarms SET remaining_ms = ? WHERE id = ? AND remaining_ms IS NOT NULL");

  return {
    apply(sessionId, { set, clear }) {
      for (const { id, kind, createdAt, due } of set) {
        const [duration, remaining, dueAt] =
          due.counts === "awake" ? [due.durationMs, due.remainingMs, null] : [null, null, due.dueAt];
        put.run(id, sessionId, kind, createdAt, duration, remaining, dueAt);
      }
      for (const id of clear) remove.run(id);
    },
    removeOf: (sessionId) => void removeOf.run(sessionId),
    all: () => all.all().map(decodeAlarm),
    saveRemaining(remaining) {
      for (const { id, remainingMs } of remaining) save.run(remainingMs, id);
    },
    removeFired: ({ id, createdAt }) => void removeFired.run(id, createdAt),
  };
}

const decodeAlarm = (row: Record<string, unknown>): Alarm => ({
  id: row["id"] as string,
  sessionId: row["session_id"] as string,
  kind: row["kind"] as AlarmKind,
  createdAt: row["created_at"] as string,
  due: decodeDue(row),
});

function decodeDue({ due_at, duration_ms, remaining_ms }: Record<string, unknown>): Due {
  return typeof due_at === "string"
    ? { counts: "wall", dueAt: due_at }
    : { counts: "awake", durationMs: duration_ms as number, remainingMs: remaining_ms as number };
}
