import { expect, test } from "vitest";
import type { Alarm, NewAlarm } from "../../packages/server/src/ports.ts";
import type { NewStore } from "./store.ts";
import { createSession, extendLog, stretch } from "./store-fixtures.ts";

const createdAt = "2026-01-01T00:00:00.000Z";

const awake = (id: string, remainingMs = 600_000): NewAlarm => ({
  ...{ id, kind: "interaction", createdAt },
  due: { counts: "awake", durationMs: 600_000, remainingMs },
});

const wall = (id: string): NewAlarm => ({
  ...{ id, kind: "interaction", createdAt },
  due: { counts: "wall", dueAt: "2026-01-01T15:00:00.000Z" },
});

const set = (...alarms: NewAlarm[]) => ({ set: alarms, clear: [] });
const clear = (...ids: string[]) => ({ set: [], clear: ids });
const idsOf = (alarms: readonly Alarm[]) => alarms.map(({ id }) => id);

export function alarmsContract(newStore: NewStore): void {
  test("alarms are stored with the commit that sets them, and cleared with the one that clears them", async () => {
    await using place = await newStore();
    const row = await createSession(place.store);
    const [a, b] = [awake("a"), wall("b")];
    const next = await extendLog(place.store, row, { events: [stretch(1)], alarms: set(a, b) });
    const sessionId = row.id;
    expect(await (await place.reopen()).alarms()).toEqual([
      { ...a, sessionId },
      { ...b, sessionId },
    ]);
    const both = { set: [awake("c")], clear: ["a", "c"] };
    await extendLog(place.store, next, { events: [stretch(2)], alarms: both });
    expect(idsOf(await (await place.reopen()).alarms())).toEqual(["b"]);
  });

  test("a refused commit neither sets nor clears an alarm", async () => {
    await using place = await newStore();
    const row = await createSession(place.store);
    await extendLog(place.store, row, { events: [stretch(1)], alarms: set(awake("a")) });
    const stale = extendLog(place.store, row, {
      events: [stretch(1)],
      alarms: { set: [awake("b")], clear: ["a"] },
    });
    await expect(stale).rejects.toMatchObject({ code: "CONFLICT" });
    expect(idsOf(await place.store.alarms())).toEqual(["a"]);
  });

  test("an alarm that is set again has only its new time", async () => {
    await using place = await newStore();
    const row = await createSession(place.store);
    const next = await extendLog(place.store, row, { events: [stretch(1)], alarms: set(awake("a", 5)) });
    await extendLog(place.store, next, { events: [stretch(2)], alarms: set(awake("a", 700)) });
    expect(await place.store.alarms()).toEqual([{ ...awake("a", 700), sessionId: row.id }]);
  });

  test("remaining times are saved for awake alarms that are still set", async () => {
    await using place = await newStore();
    const row = await createSession(place.store);
    const next = await extendLog(place.store, row, {
      events: [stretch(1)],
      alarms: set(awake("a"), wall("b"), awake("c")),
    });
    await extendLog(place.store, next, { events: [stretch(2)], alarms: clear("c") });
    await place.store.saveRemaining(["a", "b", "c"].map((id) => ({ id, remainingMs: 1_234.5 })));
    const sessionId = row.id;
    expect(await (await place.reopen()).alarms()).toEqual([
      { ...awake("a", 1_234.5), sessionId },
      { ...wall("b"), sessionId },
    ]);
  });

  test("a fired alarm is removed unless it was set again meanwhile", async () => {
    await using place = await newStore();
    const row = await createSession(place.store);
    const [fired, again] = [awake("a"), awake("b")];
    const next = await extendLog(place.store, row, { events: [stretch(1)], alarms: set(fired, again) });
    const later = { ...again, createdAt: "2026-01-01T00:00:00.001Z" };
    await extendLog(place.store, next, { events: [stretch(2)], alarms: set(later) });
    await place.store.removeFired(fired);
    await place.store.removeFired(again);
    expect(await place.store.alarms()).toEqual([{ ...later, sessionId: row.id }]);
  });

  test("D4 deleting a session deletes its alarms and no others", async () => {
    await using place = await newStore();
    const [gone, kept] = [await createSession(place.store), await createSession(place.store)];
    await extendLog(place.store, gone, { events: [stretch(1)], alarms: set(awake("a"), wall("b")) });
    await extendLog(place.store, kept, { events: [stretch(1)], alarms: set(awake("c")) });
    await place.store.remove(gone.id, 1);
    expect(idsOf(await place.store.alarms())).toEqual(["c"]);
  });
}
