import fc from "fast-check";
import { expect, test } from "vitest";
import type { EncodedEvent } from "../../packages/server/src/ports.ts";
import type { NewStore } from "./store.ts";
import {
  createSession,
  encoded,
  extendLog,
  makeItem,
  makeRow,
  rangesOf,
  readLog,
  stretch,
  withState,
} from "./store-fixtures.ts";

const done = (seq: number) => encoded(seq, { type: "done" });

export function eventLogContract(newStore: NewStore): void {
  test("appended events are read back byte for byte, even after the store was closed", async () => {
    await using place = await newStore();
    const row = await createSession(place.store);
    const events = [stretch(1), stretch(2, 5, 'an emoji 🦦, a quote ", a line\nbreak'), stretch(6)];
    await extendLog(place.store, row, { events });
    expect(await place.store.events(row.id, 0, 1_000_000)).toEqual(events);
    const reopened = await place.reopen();
    expect(await reopened.events(row.id, 0, 1_000_000)).toEqual(events);
    expect(await reopened.lastSeq(row.id)).toBe(6);
  });

  test("a cursor gets every range that ends after it, including one that contains it", async () => {
    await using place = await newStore();
    const row = await createSession(place.store);
    await extendLog(place.store, row, { events: [stretch(1, 3), stretch(4), stretch(5, 9)] });
    const after = async (cursor: number) => rangesOf(await place.store.events(row.id, cursor, 1_000_000));
    expect(await after(2)).toBe("1-3 4 5-9");
    expect(await after(3)).toBe("4 5-9");
    expect(await after(8)).toBe("5-9");
    expect(await after(9)).toBe("");
    expect(await after(1_000)).toBe("");
  });

  test("a page stops near its byte limit and has at least one range", async () => {
    await using place = await newStore();
    const row = await createSession(place.store);
    const events = Array.from({ length: 20 }, (_, i) => stretch(i + 1, i + 1, "x".repeat(1_000)));
    await extendLog(place.store, row, { events });
    expect(await place.store.events(row.id, 0, 1)).toHaveLength(1);
    const page = await place.store.events(row.id, 0, 5_000);
    expect(page.length).toBeGreaterThan(2);
    expect(page.length).toBeLessThan(6);
    expect(await readLog(place.store, row.id, 5_000)).toEqual(events);
  });

  test("an append that expects a different last number is refused and changes nothing", async () => {
    await using place = await newStore();
    const row = await extendLog(place.store, await createSession(place.store), { events: [stretch(1)] });
    const stale = { ...row, state: { ...row.state, lastSeq: 0 } };
    await expect(
      extendLog(place.store, stale, { events: [stretch(1)], items: [makeItem(1)] }),
    ).rejects.toMatchObject({ name: "StoreError", code: "CONFLICT" });
    expect(rangesOf(await readLog(place.store, row.id))).toBe("1");
    expect(await place.store.items(row.id, 100, 10)).toEqual([]);
  });

  test("an append that would leave a gap or an overlap, or a row with a different count, is refused", async () => {
    await using place = await newStore();
    const row = await extendLog(place.store, await createSession(place.store), { events: [stretch(1, 3)] });
    const refused = { name: "StoreError", code: "CONFLICT" };
    await expect(extendLog(place.store, row, { events: [stretch(5)] })).rejects.toMatchObject(refused);
    await expect(extendLog(place.store, row, { events: [stretch(3, 4)] })).rejects.toMatchObject(refused);
    await expect(extendLog(place.store, row, { events: [stretch(4), stretch(6)] })).rejects.toMatchObject(
      refused,
    );
    await expect(
      extendLog(place.store, row, { events: [stretch(4)], row: withState(row, { lastSeq: 7 }) }),
    ).rejects.toMatchObject(refused);
    await expect(
      extendLog(place.store, makeRow({ id: "ses_unknown" }), { events: [stretch(1)] }),
    ).rejects.toMatchObject(refused);
    expect(rangesOf(await readLog(place.store, row.id))).toBe("1-3");
  });

  test("appends in one tick are committed together, and a refused one does not affect the others", async () => {
    await using place = await newStore();
    const [a, b] = [await createSession(place.store), await createSession(place.store)];
    const outcomes = await Promise.allSettled([
      extendLog(place.store, a, { events: [stretch(1)] }),
      extendLog(place.store, b, { events: [stretch(2)] }),
      extendLog(place.store, withState(a, { lastSeq: 1 }), { events: [stretch(2)], durability: "command" }),
      extendLog(place.store, b, { events: [stretch(1)] }),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled", "fulfilled"]);
    expect(rangesOf(await readLog(place.store, a.id))).toBe("1 2");
    expect(rangesOf(await readLog(place.store, b.id))).toBe("1");
  });

  test("a whole item replaces its deltas under the same numbers", async () => {
    await using place = await newStore();
    let row = await createSession(place.store);
    row = await extendLog(place.store, row, { events: [stretch(1), stretch(2, 4), stretch(5), stretch(6)] });
    const whole: EncodedEvent = { from: 2, seq: 5, type: "item", data: '{"type":"item"}' };
    row = await extendLog(place.store, row, { events: [stretch(7)], compacted: [whole] });
    expect(await readLog(place.store, row.id)).toEqual([stretch(1), whole, stretch(6), stretch(7)]);
    expect(await place.store.events(row.id, 3, 1)).toEqual([whole]);
    expect(await place.store.lastSeq(row.id)).toBe(7);
  });

  test("an item may close in the append with its last delta, or with all of them", async () => {
    await using place = await newStore();
    let row = await extendLog(place.store, await createSession(place.store), { events: [stretch(1)] });
    row = await extendLog(place.store, row, {
      events: [stretch(2), stretch(3)],
      compacted: [stretch(1, 2, "whole")],
    });
    row = await extendLog(place.store, row, {
      events: [stretch(4), stretch(5), stretch(6)],
      compacted: [stretch(4, 6, "at once")],
    });
    expect(await readLog(place.store, row.id)).toEqual([
      stretch(1, 2, "whole"),
      stretch(3),
      stretch(4, 6, "at once"),
    ]);
  });

  test("a compaction that splits a range is refused", async () => {
    await using place = await newStore();
    const row = await extendLog(place.store, await createSession(place.store), {
      events: [stretch(1, 3), stretch(4, 6)],
    });
    for (const cut of [stretch(2, 6), stretch(1, 5), stretch(4, 9), stretch(6, 4)]) {
      await expect(extendLog(place.store, row, { events: [], compacted: [cut] })).rejects.toMatchObject({
        code: "CONFLICT",
      });
    }
    expect(rangesOf(await readLog(place.store, row.id))).toBe("1-3 4-6");
  });

  test("whatever is appended and compacted, every page from every cursor is gapless and numbers never change", async () => {
    await using place = await newStore();
    const step = fc.record({
      lengths: fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 6 }),
      compact: fc.tuple(fc.nat(), fc.nat()),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), fc.nat(), async (steps, seed) => {
        let row = await createSession(place.store);
        let model: EncodedEvent[] = [];
        for (const { lengths, compact } of steps) {
          const events: EncodedEvent[] = [];
          for (const length of lengths) {
            const last = events.at(-1)?.seq ?? row.state.lastSeq;
            events.push(stretch(last + 1, last + length));
          }
          model.push(...events);
          const [a, b] = compact.map((n) => n % (model.length || 1)).sort((x, y) => x - y);
          const [first, last] = [model[a ?? 0], model[b ?? 0]];
          const compacted = first && last ? [stretch(first.from, last.seq, "whole")] : [];
          model = [...model.slice(0, a), ...compacted, ...model.slice((b ?? 0) + 1)];
          row = await extendLog(place.store, row, { events, compacted });
        }
        expect(await readLog(place.store, row.id, 1 + (seed % 400))).toEqual(model);
        const cursor = seed % (row.state.lastSeq + 1);
        expect(await place.store.events(row.id, cursor, 1_000_000)).toEqual(
          model.filter(({ seq }) => seq > cursor),
        );
        expect(await place.store.lastSeq(row.id)).toBe(row.state.lastSeq);
        expect(model.every(({ from }, i) => from === (model[i - 1]?.seq ?? 0) + 1)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  test("an unknown stream is empty", async () => {
    await using place = await newStore();
    expect(await place.store.events("ses_unknown", 0, 1_000)).toEqual([]);
    expect(await place.store.lastSeq("ses_unknown")).toBe(0);
  });

  test("events of certain types are found in a range of the log", async () => {
    await using place = await newStore();
    const row = await createSession(place.store);
    const events = [done(1), encoded(2, { type: "notice" }), done(3), stretch(4), done(5)];
    await extendLog(place.store, row, { events });
    const find = (types: string[]) => place.store.eventsOfTypes(row.id, { after: 1, seq: 4 }, types);
    expect(await find(["done", "notice"])).toEqual(events.slice(1, 3));
    expect(await find(["error"])).toEqual([]);
    expect(await place.store.eventsOfTypes("ses_unknown", { after: 0, seq: 9 }, ["done"])).toEqual([]);
  });

  test("announced commits are numbered across all streams, in the order they were stored", async () => {
    await using place = await newStore();
    const { store } = place;
    const start = await store.cursor("one");
    const a = await createSession(store);
    const b = await createSession(store);
    const spoken = await extendLog(store, a, { events: [stretch(1)] });
    await extendLog(store, b, { events: [done(1)], isNews: true });
    await extendLog(store, spoken, { events: [done(2), done(3)], isNews: true });
    await store.remove(b.id, 1);
    const commits = await (await place.reopen()).commits(start, 100);
    expect(commits.map(({ number: _number, ...commit }) => commit)).toEqual([
      { stream: a.id, after: 0, seq: 0, removed: false },
      { stream: b.id, after: 0, seq: 0, removed: false },
      { stream: b.id, after: 0, seq: 1, removed: false },
      { stream: a.id, after: 1, seq: 3, removed: false },
      { stream: b.id, after: 0, seq: 0, removed: true },
    ]);
    expect(commits.every(({ number }, i) => number > (commits[i - 1]?.number ?? start))).toBe(true);
    expect(await place.store.commits(commits[2]?.number ?? 0, 1)).toEqual([commits[3]]);
  });
}
