import { expect, test } from "vitest";
import type { NewStore } from "./store.ts";
import { makeRow, node, stretch, withState } from "./store-fixtures.ts";

export function unreadSessionsContract(newStore: NewStore): void {
  test("unread sessions are listed until they have been seen up to the end of their last turn", async () => {
    await using place = await newStore();
    const { store } = place;
    const list = async () => {
      const { rows } = await store.sessions({ limit: 9, archived: false, unread: true });
      return rows.map(({ id, seenSeq }) => [id, seenSeq]);
    };
    const events = [stretch(1), stretch(2)];
    const row = withState(makeRow(), { lastSeq: 2, endedSeq: 2 });
    await store.create({ row, events }, node);
    await store.create({ row: makeRow() }, node);
    expect(await list()).toEqual([[row.id, 0]]);
    const see = (seenSeq: number) =>
      store.append({
        ...{ stream: row.id, epoch: 1, expectedSeq: 2, events: [], durability: "output" },
        session: { row: { ...row, seenSeq } },
      });
    await see(1);
    expect(await list()).toEqual([[row.id, 1]]);
    await see(2);
    expect(await list()).toEqual([]);
    expect((await (await place.reopen()).session(row.id))?.seenSeq).toBe(2);
  });
}
