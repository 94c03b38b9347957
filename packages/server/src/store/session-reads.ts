import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { type Filing, type SessionQuery, type SessionRow, StoreError } from "../ports.ts";
import { decodeRow, partNames, type StoredRow } from "./session-row.ts";

export interface SessionReads {
  /** By id, else by name. */
  find(idOrName: string): SessionRow | undefined;
  list(query: SessionQuery): { rows: SessionRow[]; before?: string };
  live(): SessionRow[];
  filings(directory: string | undefined): Filing[];
  isNameTaken(name: string): boolean;
  idsIn(directory: string): string[];
  ownWorkspaces(): Pick<SessionRow, "id" | "name" | "workspace">[];
}

const columns = `s.*, ${partNames
  .map((part) => `(SELECT data FROM session_parts WHERE session = s.key AND part = '${part}') AS ${part}`)
  .join(", ")}`;

export function prepareSessionReads(db: DatabaseSync): SessionReads {
  const byId = db.prepare(`SELECT ${columns} FROM sessions s WHERE s.id = ?`);
  const byName = db.prepare(`SELECT ${columns} FROM sessions s WHERE s.name = ?`);
  const alive = db.prepare(`SELECT ${columns} FROM sessions s WHERE s.live = 1 ORDER BY s.key`);
  const named = db.prepare("SELECT 1 FROM sessions WHERE name = ?");
  const filings = `SELECT s.id, s.project_dir AS projectDir, (SELECT data ->> 'projectId' FROM session_parts
    WHERE session = s.key AND part = 'about') AS projectId FROM sessions s`;
  const allFilings = db.prepare(`${filings} ORDER BY s.key`);
  const filingsBelow = db.prepare(`${filings} WHERE ${atOrBelow("s.project_dir")} ORDER BY s.key`);
  const idsIn = db.prepare(`SELECT s.id FROM sessions s WHERE ${atOrBelow("s.cwd")} ORDER BY s.key`);
  const own = db.prepare(
    "SELECT id, name, workspace FROM sessions WHERE workspace ->> 'mode' <> 'local' ORDER BY key",
  );
  const lists = new Map<string, StatementSync>();

  return {
    find(idOrName) {
      const stored = (byId.get(idOrName) ?? byName.get(idOrName)) as StoredRow | undefined;
      return stored && decodeRow(stored);
    },
    list(query) {
      const { sql, values } = listSql(query);
      // At most one statement per combination of filters.
      const statement = lists.get(sql) ?? db.prepare(sql);
      lists.set(sql, statement);
      const found = statement.all(...values) as unknown as StoredRow[];
      const rows = found.slice(0, query.limit).map(decodeRow);
      const last = rows.at(-1);
      return found.length > rows.length && last ? { rows, before: encodeCursor(last) } : { rows };
    },
    live: () => (alive.all() as unknown as StoredRow[]).map(decodeRow),
    filings(directory) {
      const found = directory === undefined ? allFilings.all() : filingsBelow.all(directory);
      return found.map(({ id, projectDir, projectId }) => ({
        ...{ id: id as string, projectDir: projectDir as string },
        ...(projectId === null ? {} : { projectId: projectId as string }),
      }));
    },
    idsIn: (directory) => idsIn.all(directory).map(({ id }) => id as string),
    ownWorkspaces: () =>
      own.all().map(({ id, name, workspace }) => ({
        ...{ id: id as string, name: name as string },
        workspace: JSON.parse(workspace as string),
      })),
    isNameTaken: (name) => named.get(name) !== undefined,
  };
}

/** All paths that begin with `DIRECTORY/`: `0` is the character after the slash. */
const atOrBelow = (column: string) => `(${column} = ?1 OR (${column} > ?1 || '/' AND ${column} < ?1 || '0'))`;

const aboutField = (name: "kind" | "projectId") =>
  `(SELECT data ->> '${name}' FROM session_parts WHERE session = s.key AND part = 'about')`;

/** One row more than the page holds, to know whether there is a next page. */
export function listSql(query: SessionQuery): { sql: string; values: SQLInputValue[] } {
  const terms: [string, ...SQLInputValue[]][] = [["s.archived = ?", query.archived ? 1 : 0]];
  if (query.projectDir !== undefined) terms.push(["s.project_dir = ?", query.projectDir]);
  // Within a directory the state is filtered while scanning (`+`): most sessions in any state are elsewhere.
  const state = query.projectDir === undefined ? "s.state_name" : "+s.state_name";
  if (query.state !== undefined) terms.push([`${state} = ?`, query.state]);
  if (query.kind !== undefined) terms.push([`${aboutField("kind")} = ?`, query.kind]);
  if (query.projectId !== undefined) terms.push([`${aboutField("projectId")} = ?`, query.projectId]);
  if (query.batch !== undefined) terms.push(["s.batch = ?", query.batch]);
  if (query.unread) terms.push(["s.unread = 1"]);
  if (query.review) terms.push([`s.review IN (${query.review.map(() => "?").join(", ")})`, ...query.review]);
  if (query.agentSessionId !== undefined) terms.push(["s.agent_session_id = ?", query.agentSessionId]);
  if (query.before !== undefined)
    terms.push(["(s.updated_at, s.id) < (?, ?)", ...decodeCursor(query.before)]);
  const where = terms.map(([sql]) => sql).join(" AND ");
  return {
    sql: `SELECT ${columns} FROM sessions s WHERE ${where} ORDER BY s.updated_at DESC, s.id DESC LIMIT ?`,
    values: [...terms.flatMap(([, ...values]) => values), query.limit + 1],
  };
}

/** Where a page ended: the position of its last row in the list's order. */
function encodeCursor({ updatedAt, id }: SessionRow): string {
  return Buffer.from(`${updatedAt} ${id}`).toString("base64url");
}

function decodeCursor(cursor: string): [updatedAt: string, id: string] {
  const [updatedAt, id, ...extra] = Buffer.from(cursor, "base64url").toString().split(" ");
  if (!updatedAt || !id || extra.length > 0) {
    throw new StoreError("BAD_CURSOR", "`before` is not a cursor from a list of sessions; start without it");
  }
  return [updatedAt, id];
}
