import { expect, test } from "vitest";
import type { NewStore } from "./store.ts";
import {
  createSession,
  extendLog,
  makeInteraction,
  makeItem,
  node,
  rangesOf,
  readLog,
  stretch,
} from "./store-fixtures.ts";

export function ownersContract(newStore: NewStore): void {
  test("E4 commits of a stale owner are refused, with or without events, and store nothing", async () => {
    await using place = await newStore();
    // The store keeps more of a live session in memory.
    for (const live of [true, false]) {
      const created = await createSession(place.store, { live });
      expect(await place.store.claim(created.id, node)).toBe(1);
      const row = await extendLog(place.store, created, { events: [stretch(1)] });
      const reactor = `reactor-${live}`;
      const handled = await place.store.cursor(reactor);
      expect(await place.store.claim(row.id, "node-2")).toBe(2);

      const stale = { name: "StoreError", code: "STALE_OWNER" };
      const more = {
        items: [makeItem(1)],
        interactions: [makeInteraction(row)],
        receipts: [{ key: `http:${live}`, hash: "h", answer: "{}" }],
        isNews: true,
      };
      const withEvents = extendLog(place.store, row, { ...more, events: [stretch(2)] });
      const without = extendLog(place.store, row, { ...more, events: [], row: { ...row, archived: true } });
      const removal = place.store.remove(row.id, 1);
      for (const refused of [withEvents, without, removal])
        await expect(refused).rejects.toMatchObject(stale);
      const store = await place.reopen();
      expect(await store.session(row.id)).toEqual(row);
      expect(rangesOf(await readLog(store, row.id))).toBe("1");
      expect(await store.items(row.id, 100, 10)).toEqual([]);
      expect(await store.interactions({ state: "all", sessionId: row.id })).toEqual([]);
      expect(await store.receipt(`http:${live}`)).toBeUndefined();
      expect(await store.commits(handled, 10)).toEqual([]);

      await expect(extendLog(store, row, { events: [stretch(2)] })).rejects.toMatchObject(stale);
      expect(await store.claim(row.id, "node-2")).toBe(2);
      await extendLog(store, row, { events: [stretch(2)], epoch: 2 });
      expect(await store.claim(row.id, node)).toBe(3);
    }
  });

  test("an unknown stream cannot be claimed", async () => {
    await using place = await newStore();
    await expect(place.store.claim("ses_unknown", node)).rejects.toMatchObject({ code: "CONFLICT" });
  });
}
