import { expect, test } from "vitest";
import { until } from "../../../../test/kit/until.ts";
import { AlarmRunner } from "../../src/engine/alarms/runner.ts";
import type { Time } from "../../src/engine/alarms/time.ts";
import { Background } from "../../src/engine/background.ts";
import { type Alarm, type Alarms, type Due, StoreError } from "../../src/ports.ts";
import { silent } from "./support.ts";

/** Clocks that a test controls. */
class HandTime implements Time {
  #awake = 1_000;
  #wall = Date.parse("2026-01-01T12:00:00.000Z");
  readonly #timers = new Set<{ readonly at: number; readonly callback: () => void }>();

  awakeMs = () => this.#awake;
  wallMs = () => this.#wall;

  callAfter(ms: number, callback: () => void): Disposable {
    const timer = { at: this.#awake + ms, callback };
    this.#timers.add(timer);
    return { [Symbol.dispose]: () => void this.#timers.delete(timer) };
  }

  get timers(): number {
    return this.#timers.size;
  }

  /** Lets time pass on a machine that is awake. */
  pass(ms: number): void {
    const end = this.#awake + ms;
    for (let calls = 0; ; calls++) {
      if (calls > 1_000) throw new Error("A timer keeps firing at the same moment");
      const [next] = [...this.#timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
      if (!next) break;
      this.#timers.delete(next);
      this.#advance(next.at - this.#awake);
      next.callback();
    }
    this.#advance(end - this.#awake);
  }

  /** The machine sleeps, or its clock is set: timers and the awake clock stand still. */
  jump(ms: number): void {
    this.#wall += ms;
  }

  at(ms: number): string {
    return new Date(this.#wall + ms).toISOString();
  }

  #advance(ms: number): void {
    this.#awake += ms;
    this.#wall += ms;
  }
}

const minute = 60_000;

const awake = (durationMs: number, remainingMs = durationMs): Due => ({
  ...{ counts: "awake", durationMs, remainingMs },
});

const alarm = (id: string, due: Due): Alarm => ({
  ...{ id, sessionId: "ses_a", kind: "interaction", createdAt: "2026-01-01T12:00:00.000Z", due },
});

interface Setting {
  readonly stored?: readonly Alarm[];
  readonly fire?: (alarm: Alarm) => Promise<void>;
}

async function runAlarms({ stored = [], fire = async () => undefined }: Setting = {}) {
  const time = new HandTime();
  const fired: string[] = [];
  const removed: string[] = [];
  const saved: Record<string, number>[] = [];
  const store: Alarms = {
    alarms: async () => [...stored],
    saveRemaining: async (remaining) =>
      void saved.push(Object.fromEntries(remaining.map(({ id, remainingMs }) => [id, remainingMs]))),
    removeFired: async ({ id }) => void removed.push(id),
  };
  const background = new Background({ logger: silent, storageAvailable: () => Promise.resolve() });
  const runner = new AlarmRunner({
    ...{ store, background, time },
    async fire(due) {
      fired.push(due.id);
      await fire(due);
    },
  });
  await runner.start();
  const set = (id: string, due: Due) => runner.apply("ses_a", { set: [alarm(id, due)], clear: [] });
  const clear = (id: string) => runner.apply("ses_a", { set: [], clear: [id] });
  return { runner, time, fired, removed, saved, set, clear };
}

test("alarms fire once each, in the order they are due, from a single timer", async () => {
  const { time, fired, removed, set } = await runAlarms();
  set("late", awake(2 * minute));
  set("early", awake(1_000));
  set("at", { counts: "wall", dueAt: time.at(minute) });
  expect(time.timers).toBe(1);
  time.pass(999);
  expect(fired).toEqual([]);
  time.pass(1);
  expect(fired).toEqual(["early"]);
  time.pass(10 * minute);
  expect(fired).toEqual(["early", "at", "late"]);
  await until(() => removed.length === 3, { what: "every fired alarm is removed" });
  time.pass(10 * minute);
  expect({ fired: fired.length, timers: time.timers }).toEqual({ fired: 3, timers: 0 });
});

test("a cleared alarm does not fire, and one that is set again fires at its new time", async () => {
  const { time, fired, set, clear } = await runAlarms();
  set("cleared", awake(1_000));
  set("again", awake(1_000));
  clear("cleared");
  time.pass(500);
  set("again", awake(2_000));
  time.pass(1_999);
  expect(fired).toEqual([]);
  time.pass(1);
  expect(fired).toEqual(["again"]);
});

test("a clock jump or a sleeping machine expires every wall alarm and no awake alarm", async () => {
  const { runner, time, fired, set } = await runAlarms();
  set("awake", awake(10 * minute));
  set("wall", { counts: "wall", dueAt: time.at(60 * minute) });
  time.jump(120 * minute);
  expect(runner.remainingMs("awake")).toBe(10 * minute);
  time.pass(15_000);
  expect(fired).toEqual(["wall"]);
  time.jump(-300 * minute);
  time.pass(10 * minute - 15_000);
  expect(fired).toEqual(["wall", "awake"]);
});

test("the remaining times of awake alarms are saved every 15 seconds and at shutdown", async () => {
  const { runner, time, saved, set } = await runAlarms();
  set("awake", awake(10 * minute));
  set("wall", { counts: "wall", dueAt: time.at(60 * minute) });
  time.pass(14_999);
  expect(saved).toEqual([]);
  time.pass(30_001);
  expect(saved).toEqual([{ awake: 585_000 }, { awake: 570_000 }, { awake: 555_000 }]);
  time.pass(5_000);
  await runner.close();
  expect(saved.at(-1)).toEqual({ awake: 550_000 });
  expect(time.timers).toBe(0);
});

test("after a restart an awake alarm has at least a minute left, but never more than it was set for", async () => {
  const { runner, time, fired } = await runAlarms({
    stored: [
      alarm("plenty", awake(10 * minute, 5 * minute)),
      alarm("little", awake(10 * minute, 1)),
      alarm("short", awake(1_000, 1)),
      alarm("past", { counts: "wall", dueAt: "2026-01-01T11:00:00.000Z" }),
    ],
  });
  const remaining = ["plenty", "little", "short"].map((id) => runner.remainingMs(id));
  expect(remaining).toEqual([5 * minute, minute, 1_000]);
  time.pass(0);
  expect(fired).toEqual(["past"]);
  time.pass(5 * minute);
  expect(fired).toEqual(["past", "short", "little", "plenty"]);
});

test("an alarm fires again until the store accepts its consequence", async () => {
  let refusals = 3;
  const { time, fired, removed, set } = await runAlarms({
    fire: async () => {
      if (refusals-- > 0) throw new StoreError("STORE_BUSY", "Another program holds the database");
    },
  });
  set("a", awake(1_000));
  time.pass(1_000);
  await until(() => removed.length === 1, { what: "the alarm is removed" });
  expect(fired).toEqual(["a", "a", "a", "a"]);
});

test("an alarm that is set again while it fires is not removed, and fires again", async () => {
  const { promise: isHandled, resolve: handle } = Promise.withResolvers<void>();
  const { runner, time, fired, removed, set } = await runAlarms({ fire: () => isHandled });
  set("a", awake(1_000));
  set("other", awake(1_000));
  time.pass(1_000);
  set("a", awake(5_000));
  handle();
  await until(() => removed.length === 1, { what: "the other alarm is removed" });
  expect(removed).toEqual(["other"]);
  expect(runner.remainingMs("a")).toBe(5_000);
  time.pass(5_000);
  expect(fired).toEqual(["a", "other", "a"]);
});
