import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { createSession, makeRow } from "../../../../test/contract/store-fixtures.ts";
import { tempDir } from "../../../../test/kit/temp.ts";
import { homeAt } from "../../src/home.ts";
import type { SessionQuery } from "../../src/ports.ts";
import { listSql } from "../../src/store/session-reads.ts";
import { openSqliteStore } from "../../src/store/sqlite.ts";

const lists: Record<string, Partial<SessionQuery>> = {
  "of everything": {},
  "of a directory": { projectDir: "/srv/project" },
  "of a state": { state: "running" },
  "of archived sessions": { archived: true },
  "of unread sessions": { unread: true },
  "of sessions to review": { review: ["open", "accepted"] },
  "of a batch": { batch: "tries" },
  "that continues a page": { before: Buffer.from("2026-01-01T00:00:00.000Z ses_1").toString("base64url") },
};

/** SQLite's query plan, step by step. */
function planOf(directory: string, query: Partial<SessionQuery>): string[] {
  using db = new DatabaseSync(homeAt(directory).database, { readOnly: true });
  const { sql, values } = listSql({ limit: 50, archived: false, ...query });
  const steps = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...values);
  return steps.map((row) => String(row["detail"]));
}

test.each(Object.entries(lists))(
  "a list %s reads only its page, in order, from an index",
  async (_, query) => {
    await using dir = await tempDir();
    await using _store = await openSqliteStore({ file: homeAt(dir.path).database });
    using db = new DatabaseSync(homeAt(dir.path).database, { readOnly: true });
    const { sql, values } = listSql({ limit: 50, archived: false, ...query });
    const plan = db
      .prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .all(...values)
      .map((row) => String(row["detail"]));
    const [search] = plan.filter((step) => / s USING /.test(step));
    for (const column of Object.keys(query)) {
      if (["unread", "review", "batch"].includes(column)) {
        expect(search).toContain(`sessions_${column}`);
        continue;
      }
      const named = {
        projectDir: "project_dir",
        state: "state_name",
        archived: "archived",
        before: "updated_at",
      }[column];
      expect(search, `searched by ${column}`).toMatch(new RegExp(`\\b${named}\\W`));
    }
    expect(plan.join("\n")).not.toMatch(/SCAN|TEMP B-TREE/);
  },
);

test("a list of a state in a directory reads no session of another directory", async () => {
  await using dir = await tempDir();
  await using _store = await openSqliteStore({ file: homeAt(dir.path).database });
  expect(planOf(dir.path, { projectDir: "/srv/project", state: "idle" })[0]).toMatch(
    /^SEARCH s USING INDEX \w+ \(project_dir=/,
  );
});

test("workers are listed apart from other sessions, and the sessions of a project from those of others", async () => {
  await using dir = await tempDir();
  await using store = await openSqliteStore({ file: homeAt(dir.path).database });
  const { about } = makeRow();
  const worker = await createSession(store, { about: { ...about, kind: "worker", projectId: "prj_1" } });
  const session = await createSession(store, { about: { ...about, projectId: "prj_2" } });
  const list = async (query: Partial<SessionQuery>) =>
    (await store.sessions({ limit: 50, archived: false, ...query })).rows.map(({ id }) => id);
  expect(await list({ kind: "worker" })).toEqual([worker.id]);
  expect(await list({ kind: "session" })).toEqual([session.id]);
  expect(await list({ projectId: "prj_1" })).toEqual([worker.id]);
  expect(await list({ kind: "session", projectId: "prj_1" })).toEqual([]);
  const inBatch = { kind: "worker" as const, worker: { mode: "execute" as const, batch: "tries" } };
  const tried = await createSession(store, { about: { ...about, ...inBatch } });
  expect(await list({ batch: "tries" })).toEqual([tried.id]);
  expect(await list({ batch: "other" })).toEqual([]);
});
