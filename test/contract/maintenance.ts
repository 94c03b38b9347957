import { expect, test } from "vitest";
import type { NewStore } from "./store.ts";
import {
  createSession,
  extendLog,
  makeItem,
  makeRow,
  node,
  rangesOf,
  readLog,
  stretch,
} from "./store-fixtures.ts";

export function maintenanceContract(newStore: NewStore): void {
  test("D6 logs outlive sessions: the log of a deleted session is readable by id until it is pruned", async () => {
    await using place = await newStore();
    let { store } = place;
    const [row, kept] = [await createSession(store), await createSession(store)];
    const more = { events: [stretch(1), stretch(2, 4)], items: [makeItem(1)] };
    await extendLog(store, kept, more);
    await extendLog(store, row, {
      ...more,
      receipts: [{ key: `send:${row.id}:1`, hash: "h", answer: "{}" }],
    });
    const past = new Date(Date.now() - 60_000).toISOString();
    const future = new Date(Date.now() + 60_000).toISOString();
    await store.remove(row.id, 1);
    store = await place.reopen();
    expect(await readLog(store, row.id)).toEqual(more.events);
    expect(await store.items(row.id, 100, 10)).toEqual(more.items);
    expect(await store.lastSeq(row.id)).toBe(4);
    expect(await store.prunable(past)).toEqual([]);
    expect(await store.prunable(future)).toEqual([row.id]);

    await store.prune(row.id);
    await store.prune(kept.id); // not deleted: nothing happens
    expect(await store.prunable(future)).toEqual([]);
    expect(await readLog(store, row.id)).toEqual([]);
    expect(await store.lastSeq(row.id)).toBe(0);
    expect(await store.receipt(`send:${row.id}:1`)).toBeUndefined();
    expect(await readLog(store, kept.id)).toEqual(more.events);
  });

  test("old receipts of HTTP intents are deleted, those of messages stay with their session", async () => {
    await using place = await newStore();
    const row = makeRow();
    const receipt = (key: string) => ({ key, hash: "h", answer: "{}" });
    const http = ["http:a", "http:agent b"];
    const sent = [`send:${row.id}:id:a`, `send:${row.id}:http:a`];
    await place.store.create({ row, receipt: receipt("http:create") }, node);
    for (const key of [...http, ...sent]) await place.store.saveReceipt(receipt(key));
    const known = async () => {
      const all = ["http:create", ...http, ...sent];
      const found = await Promise.all(all.map((key) => place.store.receipt(key)));
      return found.flatMap((one) => one?.key ?? []);
    };
    await place.store.pruneReceipts(new Date(Date.now() - 60_000).toISOString());
    expect(await known()).toHaveLength(5);
    await place.store.pruneReceipts(new Date(Date.now() + 60_000).toISOString());
    expect(await known()).toEqual(sent);
    await place.store.saveReceipt(receipt("http:a"));
    expect(await known()).toEqual(["http:a", ...sent]);
  });

  test("a backup opens as a store with everything except the logins", async () => {
    await using place = await newStore();
    const row = await createSession(place.store);
    await extendLog(place.store, row, { events: [stretch(1), stretch(2)], items: [makeItem(1)] });
    const at = "2026-11-15T09:00:00.000Z";
    const hashes = { cookieHash: "cookie", keyHash: "key", tokenHash: "token" };
    await place.store.addLogin({ id: "lgn_a", ...hashes, label: "Firefox", createdAt: at, lastUsedAt: at });
    const copy = await place.backUp();
    expect(rangesOf(await readLog(copy, row.id))).toBe("1 2");
    expect(await copy.items(row.id, 100, 10)).toEqual([makeItem(1)]);
    expect(await copy.logins()).toEqual([]);
    expect(await place.store.logins()).toHaveLength(1);
  });
}
