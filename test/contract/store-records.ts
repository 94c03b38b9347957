import { expect, test } from "vitest";
import type { Receipted } from "../../packages/server/src/ports.ts";
import type { NewStore } from "./store.ts";
import { createSession, extendLog, makeInteraction, makeRow, stretch, withState } from "./store-fixtures.ts";

export function storeRecordsContract(newStore: NewStore): void {
  const receipt: Receipted = { key: "http:1", hash: "abc", answer: '{"a": 1}' };
  const taken = { name: "StoreError", code: "RECEIPT_TAKEN" };

  test("a receipt is kept with what it acknowledges, byte for byte, and only once", async () => {
    await using place = await newStore();
    const row = makeRow();
    await place.store.create({ row, receipt });
    await expect(place.store.create({ row: makeRow(), receipt })).rejects.toMatchObject(taken);
    const send = { key: `send:${row.id}:1`, hash: "def", answer: "{}" };
    const sent = await extendLog(place.store, row, { events: [stretch(1)], receipt: send });
    await expect(extendLog(place.store, sent, { events: [stretch(2)], receipt: send })).rejects.toMatchObject(
      taken,
    );
    await expect(place.store.saveReceipt({ ...receipt, hash: "other" })).rejects.toMatchObject(taken);
    const reopened = await place.reopen();
    expect(await reopened.receipt("http:1")).toEqual(receipt);
    expect(await reopened.receipt(send.key)).toEqual(send);
    expect(await reopened.receipt("http:2")).toBeUndefined();
    expect(await reopened.lastSeq(row.id)).toBe(1);
  });

  test("one command sent twice at the same moment gets one receipt", async () => {
    await using place = await newStore();
    const row = await createSession(place.store);
    const other = await createSession(place.store);
    const outcomes = await Promise.allSettled([
      extendLog(place.store, row, { events: [stretch(1)], receipt }),
      extendLog(place.store, other, { events: [stretch(1)], receipt }),
      place.store.saveReceipt({ ...receipt, key: "http:2" }),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(await place.store.lastSeq(other.id)).toBe(0);
  });

  test("interactions are listed oldest first, open or resolved, of one session or of all", async () => {
    await using place = await newStore();
    const { store } = place;
    const [a, b] = [await createSession(store), await createSession(store)];
    const [first, third] = [makeInteraction(a), makeInteraction(a)];
    const second = makeInteraction(b);
    const at1 = await extendLog(store, a, { events: [stretch(1)], interactions: [first] });
    await extendLog(store, b, { events: [stretch(1)], interactions: [second] });
    const settled = { ...first, state: "resolved", resolution: "denied", reason: "no" } as const;
    await extendLog(store, at1, { events: [stretch(2)], interactions: [settled, third] });
    expect(await store.interactions({ state: "open" })).toEqual([second, third]);
    expect(await store.interactions({ state: "resolved" })).toEqual([settled]);
    expect(await store.interactions({ state: "all" })).toEqual([settled, second, third]);
    expect(await store.interactions({ state: "open", sessionId: a.id })).toEqual([third]);
    expect(await store.interactions({ state: "open", sessionId: "ses_unknown" })).toEqual([]);
    expect(await store.interaction(first.id)).toEqual(settled);
    expect(await store.interaction("int_unknown")).toBeUndefined();
  });

  test("settled interactions are listed as far back as they fit into memory, open ones always", async () => {
    await using place = await newStore();
    const { store } = place;
    const row = await createSession(store);
    const input = { text: "x".repeat(5_000_000) };
    const made = Array.from({ length: 5 }, () => makeInteraction(row, { input }));
    const at1 = await extendLog(store, row, { events: [stretch(1)], interactions: made });
    expect(await store.interactions({ state: "open", sessionId: row.id })).toHaveLength(5);
    const settled = made.map((one) => ({
      ...one,
      state: "resolved" as const,
      resolution: "denied" as const,
    }));
    await extendLog(store, at1, { events: [stretch(2)], interactions: settled });
    const ids = settled.slice(-3).map(({ id }) => id);
    for (const query of [{ state: "resolved" }, { state: "all", sessionId: row.id }] as const) {
      expect((await store.interactions(query)).map(({ id }) => id)).toEqual(ids);
    }
  });

  test("a settled interaction is found by its id or its tool call, the last one first, in its own session only", async () => {
    await using place = await newStore();
    const { store } = place;
    const [a, b] = [await createSession(store), await createSession(store)];
    const settled = { state: "resolved", resolution: "denied", toolCallId: "call-1" } as const;
    const [first, second] = [
      { ...makeInteraction(a), ...settled },
      { ...makeInteraction(a), ...settled },
    ];
    const open = { ...makeInteraction(a), toolCallId: "call-2" };
    const elsewhere = { ...makeInteraction(b), ...settled };
    await extendLog(store, a, { events: [stretch(1)], interactions: [first, second, open] });
    await extendLog(store, b, { events: [stretch(1)], interactions: [elsewhere] });
    const find = (id: string, kind: "approval" | "question" = first.kind) =>
      store.settledInteraction({ sessionId: a.id, kind, id });
    expect(await find("call-1")).toEqual(second);
    expect(await find(first.id)).toEqual(first);
    const others = [find("call-2"), find(open.id), find(elsewhere.id), find("call-1", "question")];
    expect(await Promise.all(others)).toEqual([undefined, undefined, undefined, undefined]);
  });

  test("the time an open interaction has left is kept, and shows wherever the interaction shows", async () => {
    await using place = await newStore();
    const row = await createSession(place.store, { live: true });
    const [open, settled] = [makeInteraction(row), makeInteraction(row, { state: "resolved" })];
    await extendLog(place.store, row, {
      events: [stretch(1)],
      row: withState(row, { lastSeq: 1, interactions: [open] }),
      interactions: [open, settled],
    });
    await place.store.saveRemaining([open, settled].map(({ id }) => ({ id, remainingMs: 1_234.5 })));
    const store = await place.reopen();
    expect(await store.interaction(open.id)).toEqual({ ...open, remainingMs: 1_234.5 });
    expect(await store.interaction(settled.id)).toEqual(settled);
    expect((await store.session(row.id))?.state.interactions).toEqual([{ ...open, remainingMs: 1_234.5 }]);
  });

  test("projects are kept, changed and removed", async () => {
    await using place = await newStore();
    const a = { id: "prj_a", path: "/b", name: "b", trusted: false, env: {} };
    const b = { id: "prj_b", path: "/a", name: "a", trusted: true, env: { KEY: "value" } };
    await Promise.all([place.store.saveProject(a), place.store.saveProject(b)]);
    expect(await (await place.reopen()).projects()).toEqual([b, a]);
    await place.store.saveProject({ ...a, trusted: true });
    await place.store.removeProject(b.id);
    expect(await place.store.projects()).toEqual([{ ...a, trusted: true }]);
  });

  test("logins outlive a restart until they are removed, and using a removed one does not bring it back", async () => {
    await using place = await newStore();
    const login = (id: string) => ({
      id,
      cookieHash: `cookie of ${id}`,
      keyHash: `key of ${id}`,
      tokenHash: "token",
      label: "Firefox on Linux",
      createdAt: "2026-11-15T09:00:00.000Z",
      lastUsedAt: "2026-11-15T09:00:00.000Z",
    });
    const ids = ["lgn_a", "lgn_b", "lgn_c"];
    for (const id of ids) await place.store.addLogin(login(id));
    const store = await place.reopen();
    expect(await store.logins()).toEqual(ids.map(login));
    await store.removeLogins(["lgn_a", "lgn_c", "lgn_unknown"]);
    const lastUsedAt = "2026-11-16T09:00:00.000Z";
    await store.useLogin("lgn_a", lastUsedAt);
    await store.useLogin("lgn_b", lastUsedAt);
    expect(await (await place.reopen()).logins()).toEqual([{ ...login("lgn_b"), lastUsedAt }]);
  });
}
