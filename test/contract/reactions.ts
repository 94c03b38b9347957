import { expect, test } from "vitest";
import type { NewStore } from "./store.ts";
import { createSession } from "./store-fixtures.ts";

export function reactionsContract(newStore: NewStore): void {
  test("a commit is kept until every reactor has handled it, and its number is never reused", async () => {
    await using place = await newStore();
    const { store } = place;
    await store.cursor("quick");
    const slow = await store.cursor("slow");
    await createSession(store);
    const [first] = await store.commits(slow, 10);
    const handled = { number: first?.number ?? 0, announcements: [] };
    await store.handled({ ...handled, reactor: "quick" });
    expect(await store.commits(slow, 10)).toEqual([first]);
    await store.handled({ ...handled, reactor: "slow" });
    expect(await store.commits(0, 10)).toEqual([]);
    await createSession(await place.reopen());
    const [next] = await place.store.commits(0, 10);
    expect(next?.number).toBe(handled.number + 1);
    expect(await place.store.cursor("slow")).toBe(handled.number);
    expect(await place.store.cursor("new")).toBe(next?.number);
  });

  test("a reactor's progress is stored with its announcements, and ids keep growing across restarts", async () => {
    await using place = await newStore();
    const { last: start } = await place.store.announced();
    const plain = { type: "session_upserted", sessionId: "ses_a" };
    const rich = { type: "agent:status", sessionId: "ses_a", facts: { status: "connected" } };
    const asked = { type: "interaction_opened", sessionId: "ses_a", seq: 12 };
    const first = await place.store.announce([plain, rich]);
    const store = await place.reopen();
    const [second] = await store.handled({ reactor: "one", number: 7, announcements: [asked] });
    expect(first).toMatchObject([plain, rich]);
    expect([...first, second].map((entry) => (entry?.id ?? 0) - start)).toEqual([1, 2, 3]);
    expect(await store.cursor("one")).toBe(7);
    expect(await store.announcements(start, 10)).toEqual([...first, second]);
    expect(await store.announcements(start + 1, 1)).toEqual([first[1]]);
    expect(await store.announced()).toEqual({ forgotten: start, last: start + 3 });
  });

  test("the last 100,000 announcements are kept", async () => {
    await using place = await newStore();
    const { last: start } = await place.store.announced();
    const many = Array.from({ length: 60_000 }, () => ({ type: "session_upserted", sessionId: "ses_a" }));
    await place.store.announce(many);
    await place.store.announce(many);
    const { forgotten, last } = await place.store.announced();
    expect(last).toBe(start + 120_000);
    expect(last - forgotten).toBeGreaterThanOrEqual(100_000);
    expect(last - forgotten).toBeLessThan(102_000);
  });
}
