import type { ReviewState } from "@drover/core";
import { expect, test } from "vitest";
import type { NewStore } from "./store.ts";
import { createSession, extendLog, makeRow, withState } from "./store-fixtures.ts";

export function reviewedSessionsContract(newStore: NewStore): void {
  test("a list can be filtered by the state of reviews", async () => {
    await using place = await newStore();
    const review = { ahead: 1, behind: 0, files: 1, added: 1, removed: 0, work: "one" };
    const withReview = (state: ReviewState) =>
      createSession(place.store, withState(makeRow(), { review: { ...review, state } }));
    const [open, accepted] = [await withReview("open"), await withReview("accepted")];
    await createSession(place.store);
    const list = async (...states: ReviewState[]) =>
      (await place.store.sessions({ limit: 50, archived: false, review: states })).rows.map(({ id }) => id);
    expect(await list("open")).toEqual([open.id]);
    expect((await list("open", "accepted")).sort()).toEqual([open.id, accepted.id].sort());
    await extendLog(place.store, open, {
      events: [],
      row: withState(open, { review: { ...review, state: "merged" } }),
    });
    expect(await list("open")).toEqual([]);
    expect(await list("merged")).toEqual([open.id]);
  });
}
