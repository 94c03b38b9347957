import { expect, test } from "vitest";
import type { NewStore } from "./store.ts";
import { createSession, extendLog, makeInteraction, stretch } from "./store-fixtures.ts";

export function interactionsContract(newStore: NewStore): void {
  test("interactions are listed oldest first, open or resolved, for one session or all", async () => {
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

  test("expired interactions are listed until a person follows up on them", async () => {
    await using place = await newStore();
    const { store } = place;
    const [a, b] = [await createSession(store), await createSession(store)];
    const expired = { state: "resolved", resolution: "expired" } as const;
    const [first, gone] = [
      { ...makeInteraction(a), ...expired },
      { ...makeInteraction(a), ...expired, cause: "agent_gone" as const },
    ];
    const second = { ...makeInteraction(b), ...expired };
    const at1 = await extendLog(store, a, { events: [stretch(1)], interactions: [first, gone] });
    await extendLog(store, b, { events: [stretch(1)], interactions: [second] });
    expect(await store.interactions({ state: "expired" })).toEqual([first, second]);
    expect(await store.interactions({ state: "expired", sessionId: a.id })).toEqual([first]);
    expect(await store.interactions({ state: "resolved" })).toEqual([first, gone, second]);
    const { sessionId, kind, id } = first;
    expect(await store.settledInteraction({ sessionId, kind, id })).toEqual(first);

    const dismissed = { ...first, followUp: "dismissed" as const };
    await extendLog(store, at1, { events: [stretch(2)], interactions: [dismissed] });
    expect(await (await place.reopen()).interactions({ state: "expired" })).toEqual([second]);
    expect(await place.store.interaction(id)).toEqual(dismissed);
  });

  test("resolved interactions are listed as far back as memory allows, open ones always", async () => {
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

  test("the list of all open interactions omits the largest inputs when they exceed the limit", async () => {
    await using place = await newStore();
    const { store } = place;
    const row = await createSession(store);
    const input = { text: "x".repeat(5_000_000) };
    const small = makeInteraction(row, { input: { text: "small" } });
    const large = Array.from({ length: 7 }, () => makeInteraction(row, { input, inputHash: "h", diffs: [] }));
    await extendLog(store, row, { events: [stretch(1)], interactions: [...large, small] });
    const listed = await store.interactions({ state: "open" });
    expect(listed.map(({ id }) => id)).toEqual([...large, small].map(({ id }) => id));
    expect(listed.at(-1)).toEqual(small);
    const omitted = listed.filter((one) => one.inputOmitted);
    expect(omitted).toHaveLength(1);
    expect(omitted[0]).toMatchObject({ inputHash: "h", toolCallId: expect.any(String) });
    expect(omitted[0]).not.toHaveProperty("input");
    expect(omitted[0]).not.toHaveProperty("diffs");
    expect(await store.interactions({ state: "open", sessionId: row.id })).toEqual([...large, small]);
  });

  test("a resolved interaction is found by its id or tool call, latest first, in its own session only", async () => {
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
}
