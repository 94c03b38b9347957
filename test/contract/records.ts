import { expect, test } from "vitest";
import type { Receipted } from "../../packages/server/src/ports.ts";
import type { NewStore } from "./store.ts";
import { createSession, extendLog, makeRow, node, stretch } from "./store-fixtures.ts";

const receipt: Receipted = { key: "http:1", hash: "abc", answer: '{"a": 1}' };
const taken = { name: "StoreError", code: "RECEIPT_TAKEN" };

export function recordsContract(newStore: NewStore): void {
  test("a receipt is stored with its command, byte for byte, and only once", async () => {
    await using place = await newStore();
    const row = makeRow();
    await place.store.create({ row, receipt }, node);
    await expect(place.store.create({ row: makeRow(), receipt }, node)).rejects.toMatchObject(taken);
    const send = { key: `send:${row.id}:1`, hash: "def", answer: "{}" };
    const sent = await extendLog(place.store, row, { events: [stretch(1)], receipts: [send] });
    await expect(
      extendLog(place.store, sent, { events: [stretch(2)], receipts: [send] }),
    ).rejects.toMatchObject(taken);
    await expect(place.store.saveReceipt({ ...receipt, hash: "other" })).rejects.toMatchObject(taken);
    const reopened = await place.reopen();
    expect(await reopened.receipt("http:1")).toEqual(receipt);
    expect(await reopened.receipt(send.key)).toEqual(send);
    expect(await reopened.receipt("http:2")).toBeUndefined();
    expect(await reopened.lastSeq(row.id)).toBe(1);
  });

  test("several receipts of one commit are stored together or not at all", async () => {
    await using place = await newStore();
    const { store } = place;
    const row = await createSession(store);
    const own = { key: `send:${row.id}:id:mine`, hash: "def", answer: "{}" };
    const sent = await extendLog(store, row, { events: [stretch(1)], receipts: [own, receipt] });
    expect(await store.receipt(own.key)).toEqual(own);
    expect(await store.receipt(receipt.key)).toEqual(receipt);
    const fresh = { ...own, key: `send:${row.id}:id:other` };
    const again = extendLog(store, sent, { events: [stretch(2)], receipts: [fresh, receipt] });
    await expect(again).rejects.toMatchObject(taken);
    expect(await store.receipt(fresh.key)).toBeUndefined();
    expect(await store.lastSeq(row.id)).toBe(1);
  });

  test("a command sent twice at the same moment gets one receipt", async () => {
    await using place = await newStore();
    const row = await createSession(place.store);
    const other = await createSession(place.store);
    const outcomes = await Promise.allSettled([
      extendLog(place.store, row, { events: [stretch(1)], receipts: [receipt] }),
      extendLog(place.store, other, { events: [stretch(1)], receipts: [receipt] }),
      place.store.saveReceipt({ ...receipt, key: "http:2" }),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(await place.store.lastSeq(other.id)).toBe(0);
  });

  test("projects are stored, changed and removed", async () => {
    await using place = await newStore();
    const a = { id: "prj_a", path: "/b", name: "b", trusted: false, env: {}, setup: [] };
    const settings = { setup: [["npm", "ci"], ["make"]], workspace: "worktree" as const };
    const b = { id: "prj_b", path: "/a", name: "a", trusted: true, env: { KEY: "value" }, ...settings };
    await Promise.all([place.store.saveProject(a), place.store.saveProject(b)]);
    expect(await (await place.reopen()).projects()).toEqual([b, a]);
    await place.store.saveProject({ ...a, trusted: true });
    await place.store.removeProject(b.id);
    expect(await place.store.projects()).toEqual([{ ...a, trusted: true }]);
  });

  test("logins survive a restart until they are removed, and using a removed one does not restore it", async () => {
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
