import { DatabaseSync } from "node:sqlite";

/** Columns with times, either alone or inside JSON, and how a row of their table is found by a session's key. */
const columns = [
  ["sessions", "created_at", "key"],
  ["sessions", "updated_at", "key"],
  ["sessions", "state", "key"],
  ["sessions", "runtime", "key"],
  ["session_parts", "data", "session"],
  ["events", "data", "stream"],
  ["items", "data", "session"],
  ["interactions", "data", "session"],
] as const;

const time = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;

/** Moves everything that a session has stored into the past. No server may be running on the database. */
export function age(database: string, sessions: readonly { name: string; minutesAgo: number }[]): void {
  using db = new DatabaseSync(database);
  for (const { name, minutesAgo } of sessions) {
    const earlier = (text: unknown) =>
      String(text).replace(time, (at) => new Date(Date.parse(at) - minutesAgo * 60_000).toISOString());
    db.function("earlier", { deterministic: true }, earlier);
    for (const [table, column, key] of columns) {
      db.prepare(
        `UPDATE ${table} SET ${column} = earlier(${column})
         WHERE ${key} = (SELECT key FROM sessions WHERE name = ?) AND ${column} IS NOT NULL`,
      ).run(name);
    }
  }
}
