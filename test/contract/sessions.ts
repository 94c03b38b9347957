import { expect, test } from "vitest";
import type { SessionQuery, SessionRow } from "../../packages/server/src/ports.ts";
import type { NewStore } from "./store.ts";
import {
  createSession,
  extendLog,
  makeInteraction,
  makeItem,
  makeRow,
  node,
  readLog,
  stretch,
  withState,
} from "./store-fixtures.ts";

export function sessionsContract(newStore: NewStore): void {
  test("a session is found by id and by name, exactly as it was stored", async () => {
    await using place = await newStore();
    const row = makeRow({
      about: {
        title: "Größe 🦦",
        kind: "worker",
        agent: "demo",
        driver: "acp",
        permissionMode: "plan",
        model: "m",
        system: "be kind",
        mcpServers: { files: { command: "files", args: ["--all"] } },
        grants: [{ toolName: "run", program: "git" }],
        projectId: "prj_1",
      },
      runtime: {
        run: 3,
        process: { pid: 4, startTime: "5", bootId: "6", position: 7, ready: true, memo: { any: [1, null] } },
        agentSessionId: "agent-1",
        attempt: { turnId: "trn_1", n: 1, prompt: { kind: "message", seq: 2, phase: "writing" } },
        pending: { "e1:2": { interactionId: "int_1", raw: { a: 1 }, answer: { type: "cancelled" } } },
        stopping: true,
      },
      archived: true,
      live: true,
      stateName: "running",
    });
    await place.store.create({ row }, node);
    expect(await place.store.session(row.id)).toEqual(row);
    expect(await place.store.session(row.name)).toEqual(row);
    expect(await (await place.reopen()).session(row.id)).toEqual(row);
    expect(await place.store.session("unknown")).toBeUndefined();
  });

  test("a session may start with a log: row, events and items are stored together or not at all", async () => {
    await using place = await newStore();
    const events = [stretch(1), stretch(2, 4)];
    const items = [makeItem(1), makeItem(2)];
    const row = withState(makeRow(), { lastSeq: 4 });
    for (const broken of [
      { row, events: [stretch(1), stretch(3, 4)], items },
      { row: withState(row, { lastSeq: 5 }), events, items },
      { row, items },
    ]) {
      await expect(place.store.create(broken, node)).rejects.toMatchObject({ code: "CONFLICT" });
    }
    expect(await place.store.session(row.id)).toBeUndefined();
    await place.store.create({ row, events, items }, node);
    const store = await place.reopen();
    expect(await store.session(row.id)).toEqual(row);
    expect(await readLog(store, row.id)).toEqual(events);
    expect(await store.items(row.id, 100, 10)).toEqual(items);
    const next = await extendLog(store, row, { events: [stretch(5)] });
    expect(await store.lastSeq(row.id)).toBe(next.state.lastSeq);
  });

  test("an append stores the whole row with its events, including queue and interactions", async () => {
    await using place = await newStore();
    let row = await createSession(place.store, { live: true });
    const interaction = makeInteraction(row);
    const queue = [{ messageId: "msg_1", content: "x".repeat(100_000), by: "cli", at: row.createdAt }];
    const grown = withState(row, {
      lastSeq: 1,
      queue,
      queuePaused: true,
      interactions: [interaction],
      usage: { inputTokens: 1, outputTokens: 2, costUsd: 0.5 },
      turn: { id: "trn_1", messageId: "msg_0", startedAt: row.createdAt, lockedBy: "cli" },
    });
    row = await extendLog(place.store, row, {
      events: [stretch(1)],
      row: { ...grown, stateName: "waiting_for_input", openFrom: 1, updatedAt: "2026-01-02T00:00:00.000Z" },
      interactions: [interaction],
    });
    expect(await place.store.session(row.id)).toEqual(row);
    // The same queue again, then none: rows share what did not change.
    row = await extendLog(place.store, row, { events: [stretch(2)] });
    expect(await place.store.session(row.id)).toEqual(row);
    row = await extendLog(place.store, row, {
      events: [stretch(3)],
      row: withState(row, { lastSeq: 3, queue: [], interactions: [] }),
      interactions: [{ ...interaction, state: "resolved", resolution: "approved", by: "cli" }],
    });
    expect(await place.store.session(row.id)).toEqual(row);
    row = await extendLog(place.store, row, {
      events: [],
      row: { ...row, live: false, about: { ...row.about, title: "Another" } },
    });
    row = await extendLog(place.store, row, { events: [], row: withState(row, { queue }) });
    expect(await (await place.reopen()).session(row.id)).toEqual(row);
  });

  test("a name belongs to one session at a time", async () => {
    await using place = await newStore();
    const taken = { name: "StoreError", code: "NAME_TAKEN" };
    const first = await createSession(place.store, { name: "brave-otter" });
    const second = await createSession(place.store, { name: "shy-fox" });
    expect(await place.store.isNameTaken("brave-otter")).toBe(true);
    expect(await place.store.isNameTaken("calm-owl")).toBe(false);
    await expect(createSession(place.store, { name: "brave-otter" })).rejects.toMatchObject(taken);
    const renamed = { ...second, name: "brave-otter" };
    await expect(extendLog(place.store, second, { events: [], row: renamed })).rejects.toMatchObject(taken);
    expect(await place.store.session("brave-otter")).toEqual(first);
    await extendLog(place.store, first, { events: [], row: { ...first, name: "calm-owl" } });
    await extendLog(place.store, second, { events: [], row: renamed });
    expect(await place.store.session("brave-otter")).toEqual(renamed);
  });

  test("of two sessions created at once with one name, one is refused", async () => {
    await using place = await newStore();
    const outcomes = await Promise.allSettled([
      createSession(place.store, { name: "brave-otter" }),
      createSession(place.store, { name: "brave-otter" }),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
  });

  test("lists are in order of latest activity, in pages without gaps or duplicates", async () => {
    await using place = await newStore();
    const rows: SessionRow[] = [];
    for (let i = 0; i < 25; i++) {
      // Three at each time: without a total order, a page could end between equals.
      const updatedAt = new Date(Date.UTC(2026, 0, 1, 0, (i * 7) % 8)).toISOString();
      rows.push(await createSession(place.store, { updatedAt }));
    }
    const order = (a: SessionRow, b: SessionRow) =>
      a.updatedAt === b.updatedAt ? (a.id < b.id ? 1 : -1) : a.updatedAt < b.updatedAt ? 1 : -1;
    const expected = rows.toSorted(order).map(({ id }) => id);
    const seen: string[] = [];
    for (let before: string | undefined, pages = 0; pages === 0 || before; pages++) {
      const page = await place.store.sessions({ limit: 10, archived: false, ...(before ? { before } : {}) });
      seen.push(...page.rows.map(({ id }) => id));
      expect(page.rows.length).toBe(pages === 2 ? 5 : 10);
      before = page.before;
    }
    expect(seen).toEqual(expected);
    const exact = await place.store.sessions({ limit: 25, archived: false });
    expect(exact).toEqual({ rows: expect.anything() });
  });

  test("activity moves a session to the top of the list", async () => {
    await using place = await newStore();
    const first = await createSession(place.store);
    await createSession(place.store);
    await extendLog(place.store, first, {
      events: [],
      row: { ...first, updatedAt: "2026-01-03T00:00:00.000Z" },
    });
    const { rows } = await place.store.sessions({ limit: 1, archived: false });
    expect(rows.map(({ id }) => id)).toEqual([first.id]);
  });

  test("a list can be filtered by directory, state, archive and the agent's own id, alone or combined", async () => {
    await using place = await newStore();
    const { runtime } = makeRow();
    const a = await createSession(place.store, { cwd: "/a" });
    const b = await createSession(place.store, { cwd: "/a", stateName: "running" });
    const c = await createSession(place.store, { cwd: "/a/b", archived: true });
    const d = await createSession(place.store, { runtime: { ...runtime, agentSessionId: "one" } });
    const list = async (query: Partial<SessionQuery>) =>
      (await place.store.sessions({ limit: 50, archived: false, ...query })).rows.map(({ id }) => id).sort();
    expect(await list({})).toEqual([a.id, b.id, d.id]);
    expect(await list({ archived: true })).toEqual([c.id]);
    expect(await list({ projectDir: "/a" })).toEqual([a.id, b.id]);
    expect(await list({ projectDir: "/a", state: "running" })).toEqual([b.id]);
    expect(await list({ agentSessionId: "one" })).toEqual([d.id]);
    expect(await list({ agentSessionId: "one", state: "running" })).toEqual([]);
  });

  test("an invalid cursor is refused", async () => {
    await using place = await newStore();
    for (const before of ["", "x", "a b c", "💥"]) {
      await expect(place.store.sessions({ limit: 5, archived: false, before })).rejects.toMatchObject({
        name: "StoreError",
        code: "BAD_CURSOR",
      });
    }
  });

  test("live sessions are those that a starting server must take over", async () => {
    await using place = await newStore();
    const a = await createSession(place.store, { live: true });
    const b = await createSession(place.store);
    const ids = async () => (await place.store.liveSessions()).map(({ id }) => id);
    expect(await ids()).toEqual([a.id]);
    await extendLog(place.store, b, { events: [], row: { ...b, live: true } });
    await extendLog(place.store, a, { events: [], row: { ...a, live: false } });
    expect(await ids()).toEqual([b.id]);
  });

  test("D4 delete is exact: one session is removed with its name and interactions, the others are unchanged", async () => {
    await using place = await newStore();
    const { store } = place;
    const neighbours: SessionRow[] = [];
    for (const name of ["fox", "red-fox", "fox-2"]) {
      const made = await createSession(store, { name, live: true });
      const interaction = makeInteraction(made);
      neighbours.push(
        await extendLog(store, made, {
          events: [stretch(1), stretch(2, 4)],
          items: [makeItem(1)],
          interactions: [interaction],
          row: withState(made, { lastSeq: 4, interactions: [interaction] }),
          receipts: [{ key: `send:${made.id}:1`, hash: "h", answer: "{}" }],
        }),
      );
    }
    const [gone] = neighbours.splice(0, 1) as [SessionRow];
    await store.remove(gone.id, 1);

    expect(await store.session(gone.id)).toBeUndefined();
    expect(await store.session("fox")).toBeUndefined();
    expect(await store.isNameTaken("fox")).toBe(false);
    expect((await store.liveSessions()).map(({ name }) => name)).toEqual(["red-fox", "fox-2"]);
    expect((await store.sessions({ limit: 9, archived: false })).rows).toHaveLength(2);
    const open = await store.interactions({ state: "all" });
    expect(open.map(({ sessionId }) => sessionId)).toEqual(neighbours.map(({ id }) => id));
    expect(await store.interactions({ state: "open", sessionId: gone.id })).toEqual([]);
    await expect(extendLog(store, gone, { events: [stretch(5)] })).rejects.toMatchObject({
      code: "CONFLICT",
    });
    for (const row of neighbours) {
      expect(await store.session(row.id)).toEqual(row);
      expect(await readLog(store, row.id)).toHaveLength(2);
      expect(await store.items(row.id, 100, 10)).toHaveLength(1);
      expect(await store.receipt(`send:${row.id}:1`)).toBeDefined();
    }
    const heir = await createSession(store, { name: "fox" });
    expect(await store.lastSeq(heir.id)).toBe(0);
    await store.remove("ses_unknown", 1);
  });
}
