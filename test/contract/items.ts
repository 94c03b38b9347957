import type { Item } from "@drover/core";
import { expect, test } from "vitest";
import type { NewStore } from "./store.ts";
import { createSession, encoded, extendLog, makeItem, makeToolItem, stretch } from "./store-fixtures.ts";

export function itemsContract(newStore: NewStore): void {
  test("the last items before a number are listed oldest first, in numeric order", async () => {
    await using place = await newStore();
    const row = await createSession(place.store);
    const events = Array.from({ length: 9 }, (_, i) => stretch(i + 1));
    await extendLog(place.store, row, { events, items: [5, 1, 9, 3].map((seq) => makeItem(seq)) });
    const seqs = async (before: number, limit: number) =>
      (await place.store.items(row.id, before, limit)).map(({ seq }) => seq);
    expect(await seqs(100, 10)).toEqual([1, 3, 5, 9]);
    expect(await seqs(9, 2)).toEqual([3, 5]);
    expect(await seqs(1, 10)).toEqual([]);
    expect(await place.store.items(row.id, 2, 1)).toEqual([makeItem(1)]);
  });

  test("the first items after a number are listed oldest first", async () => {
    await using place = await newStore();
    const row = await createSession(place.store);
    const events = Array.from({ length: 9 }, (_, i) => stretch(i + 1));
    await extendLog(place.store, row, { events, items: [5, 1, 9, 3].map((seq) => makeItem(seq)) });
    const seqs = async (after: number, limit: number) =>
      (await place.store.itemsAfter(row.id, after, limit)).map(({ seq }) => seq);
    expect(await seqs(0, 10)).toEqual([1, 3, 5, 9]);
    expect(await seqs(1, 2)).toEqual([3, 5]);
    expect(await seqs(9, 10)).toEqual([]);
    expect(await place.store.itemsAfter(row.id, 0, 1)).toEqual([makeItem(1)]);
    expect(await place.store.itemsAfter("ses_unknown", 0, 10)).toEqual([]);
  });

  test("a page of large items is shorter, and has at least one", async () => {
    await using place = await newStore();
    const row = await createSession(place.store);
    const large = (seq: number, size: number) => ({
      ...makeToolItem(seq, `c${seq}`),
      code: "x".repeat(size),
    });
    const items = [large(1, 20_000_000), large(2, 5_000_000), large(3, 2_000_000), large(4, 2_000_000)];
    await extendLog(place.store, row, { events: items.map(({ seq }) => stretch(seq)), items });
    const seqs = (page: readonly Item[]) => page.map(({ seq }) => seq);
    expect(seqs(await place.store.items(row.id, 100, 10))).toEqual([3, 4]);
    expect(seqs(await place.store.items(row.id, 2, 10))).toEqual([1]);
    expect(seqs(await place.store.itemsAfter(row.id, 0, 10))).toEqual([1]);
    expect(seqs(await place.store.itemsAfter(row.id, 1, 10))).toEqual([2, 3]);
  });

  test("an item that closes again replaces its earlier version", async () => {
    await using place = await newStore();
    let row = await createSession(place.store);
    row = await extendLog(place.store, row, { events: [stretch(1)], items: [makeItem(1)] });
    const again = { ...makeItem(1), text: "longer" };
    await extendLog(place.store, row, { events: [stretch(2)], items: [again] });
    expect(await place.store.items(row.id, 100, 10)).toEqual([again]);
  });

  test("a long text is read back in full, whether stored as deltas or as one item", async () => {
    await using place = await newStore();
    let row = await createSession(place.store);
    const words = ["🦦".repeat(3_000), 'a quote ", a line\nbreak, ', "x".repeat(70_000)];
    for (const kind of ["text", "thinking"] as const) {
      const first = row.state.lastSeq + 1;
      const item: Item = { ...makeItem(first, `itm_long_${kind}`), kind, text: words.join("") };
      const other = { type: "text_delta", itemId: "itm_other", text: "of another item" } as const;
      row = await extendLog(place.store, row, {
        events: words.flatMap((text, i) => [
          encoded(first + 2 * i, { type: `${kind}_delta`, itemId: item.id, text }),
          encoded(first + 2 * i + 1, { ...other, parentToolCallId: "call" }),
        ]),
      });
      row = await extendLog(place.store, row, { events: [encoded(first + 6, other)], items: [item] });
      expect((await place.store.items(row.id, first + 1, 1))[0]).toEqual(item);
      const whole = { ...encoded(first, { type: "item", item }), seq: first + 6 };
      row = await extendLog(place.store, row, { events: [], compacted: [whole] });
      expect((await place.store.items(row.id, first + 1, 1))[0]).toEqual(item);
      expect((await (await place.reopen()).items(row.id, first + 1, 1))[0]).toEqual(item);
    }
  });

  test("used tool call ids are known, including their numbered forms, in this session only", async () => {
    await using place = await newStore();
    const [row, other] = [await createSession(place.store), await createSession(place.store)];
    const ids = ["call", "call~2", "call~10", "call~x", "call~2~3", "caller", "it's %_ 🦦", "it's %_ 🦦~2"];
    const events = ids.map((_, i) => stretch(i + 1));
    await extendLog(place.store, row, { events, items: ids.map((id, i) => makeToolItem(i + 1, id)) });
    const used = async (...wanted: string[]) =>
      [...(await place.store.usedToolCallIds(row.id, wanted))].sort();
    expect(await used("call")).toEqual(["call", "call~10", "call~2"]);
    expect(await used("cal", "new")).toEqual([]);
    expect(await used("it's %_ 🦦", "caller")).toEqual(["caller", "it's %_ 🦦", "it's %_ 🦦~2"]);
    expect(await place.store.usedToolCallIds(other.id, ["call"])).toEqual(new Set());
  });

  test("an unknown session has no items", async () => {
    await using place = await newStore();
    expect(await place.store.items("ses_unknown", 100, 10)).toEqual([]);
    expect(await place.store.usedToolCallIds("ses_unknown", ["a"])).toEqual(new Set());
  });
}
