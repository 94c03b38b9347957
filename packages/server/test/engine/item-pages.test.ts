import type { Item } from "@drover/core";
import { expect, test } from "vitest";
import { createSession, extendLog, makeToolItem, stretch } from "../../../../test/contract/store-fixtures.ts";
import { tempDir } from "../../../../test/kit/temp.ts";
import { pageAfter, pageBefore } from "../../src/engine/reading/item-pages.ts";
import { homeAt } from "../../src/home.ts";
import { openSqliteStore } from "../../src/store/sqlite.ts";

/** A call whose result is `size` characters long. */
const call = (seq: number, size: number): Item => {
  const item = makeToolItem(seq, `call-${seq}`);
  return item.tool ? { ...item, tool: { ...item.tool, result: "x".repeat(size) } } : item;
};

test("pages of large items are short in both directions, and no item is left out or repeated", async () => {
  await using dir = await tempDir();
  await using store = await openSqliteStore({ file: homeAt(dir.path).database });
  const row = await createSession(store);
  const numbers = Array.from({ length: 30 }, (_, n) => n + 1);
  // Three are still open. A page has no room for ten of the others, and a 9 MB item leaves no room for another.
  const open = [2, 14, 30].map((seq) => ({ ...call(seq, 10), status: "open" as const }));
  const closed = numbers
    .filter((seq) => !open.some((item) => item.seq === seq))
    .map((seq) => call(seq, seq % 10 === 0 ? 9_000_000 : 1_000_000));
  await extendLog(store, row, { events: numbers.map((n) => stretch(n)), items: closed });
  const reading = { store, sessionId: row.id, open };

  const backwards: number[] = [];
  for (let before: number | undefined = 31; before !== undefined; ) {
    const page = await pageBefore(reading, { before, limit: 10 });
    expect(page.items.length).toBeLessThanOrEqual(10);
    expect(JSON.stringify(page.items).length).toBeLessThan(9_100_000);
    backwards.unshift(...page.items.map(({ seq }) => seq));
    before = page.before;
  }
  expect(backwards).toEqual(numbers);

  const forwards: number[] = [];
  for (let after: number | undefined = 0; after !== undefined; ) {
    const page = await pageAfter(reading, { after, limit: 10 });
    expect(JSON.stringify(page.items).length).toBeLessThan(9_100_000);
    forwards.push(...page.items.map(({ seq }) => seq));
    after = page.after;
  }
  expect(forwards).toEqual(numbers);
});
