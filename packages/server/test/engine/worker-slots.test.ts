import { expect, test } from "vitest";
import { type SlotRequest, WorkerSlots } from "../../src/engine/workers/slots.ts";

/** A worker that asks for a slot, and the order in which slots were given. */
function stage(limit: number) {
  const state = { limit };
  const slots = new WorkerSlots(() => state.limit);
  const given: string[] = [];
  const worker = (id: string, since = id) => {
    const self = { isRunning: false, isWanted: true };
    const request: SlotRequest = {
      ...{ id, since },
      isRunning: () => self.isRunning,
      isWanted: () => self.isWanted,
    };
    const acquire = () => {
      const { slot, isWaiting } = slots.acquire(request);
      const got = slot.then((one) => {
        if (one) given.push(id);
        return one;
      });
      return { got, isWaiting };
    };
    return Object.assign(self, { request, acquire });
  };
  return { slots, given, worker, state };
}

test("slots go to the oldest, and a process that has started keeps its slot until it has ended", async () => {
  const { slots, given, worker } = stage(1);
  slots.open();
  const [a, b, c] = [worker("a"), worker("b"), worker("c")];
  const first = a.acquire();
  expect(first.isWaiting).toBe(false);
  const [third, second] = [c.acquire(), b.acquire()];
  expect([second.isWaiting, third.isWaiting]).toEqual([true, true]);
  a.isRunning = true;
  (await first.got)?.[Symbol.dispose]();
  slots.grant();
  expect(given).toEqual(["a"]);
  a.isRunning = false;
  slots.grant();
  (await second.got)?.[Symbol.dispose]();
  (await third.got)?.[Symbol.dispose]();
  expect(given).toEqual(["a", "b", "c"]);
});

test("a worker that is no longer wanted leaves the queue without a slot", async () => {
  const { slots, given, worker } = stage(1);
  slots.open();
  const [a, b, c] = [worker("a"), worker("b"), worker("c")];
  const slot = await a.acquire().got;
  const [left, right] = [b.acquire(), c.acquire()];
  b.isWanted = false;
  slots.grant();
  expect(await left.got).toBeUndefined();
  slot?.[Symbol.dispose]();
  await right.got;
  expect(given).toEqual(["a", "c"]);
});

test("nothing starts before every process of an earlier server is known, and those count", async () => {
  const { slots, given, worker } = stage(2);
  const [old, b, c] = [worker("old"), worker("b"), worker("c")];
  old.isRunning = true;
  slots.register(old.request);
  const [later, sooner] = [c.acquire(), b.acquire()];
  expect([later.isWaiting, sooner.isWaiting]).toEqual([true, true]);
  slots.open();
  await sooner.got;
  expect(given).toEqual(["b"]);
  old.isRunning = false;
  slots.grant();
  await later.got;
  expect(given).toEqual(["b", "c"]);
});

test("a worker whose process is still alive does not wait for its own slot", async () => {
  const { slots, given, worker } = stage(1);
  const [older, holder] = [worker("a"), worker("b")];
  holder.isRunning = true;
  const [later, sooner] = [older.acquire(), holder.acquire()];
  slots.open();
  (await sooner.got)?.[Symbol.dispose]();
  expect(given).toEqual(["b"]);
  holder.isRunning = false;
  slots.grant();
  await later.got;
  expect(given).toEqual(["b", "a"]);
});

test("a higher limit counts from the next change on, and closing leaves the rest to the next server", async () => {
  const { slots, given, worker, state } = stage(1);
  slots.open();
  const [a, b, c] = [worker("a"), worker("b"), worker("c")];
  await a.acquire().got;
  const [second, third] = [b.acquire(), c.acquire()];
  state.limit = 2;
  slots.grant();
  await second.got;
  slots.close();
  expect(await third.got).toBeUndefined();
  expect(await worker("d").acquire().got).toBeUndefined();
  expect(given).toEqual(["a", "b"]);
});

test("a worker that was deleted holds no slot, whatever was known about its process", async () => {
  const { slots, given, worker } = stage(1);
  slots.open();
  const [a, b] = [worker("a"), worker("b")];
  const slot = await a.acquire().got;
  a.isRunning = true;
  slot?.[Symbol.dispose]();
  const next = b.acquire().got;
  slots.forget("a");
  await next;
  expect(given).toEqual(["a", "b"]);
});

test("a worker whose process is still running needs no other slot", async () => {
  const { slots, given, worker } = stage(1);
  const [a, b] = [worker("a"), worker("b")];
  a.isRunning = true;
  slots.register(a.request);
  slots.open();
  const next = b.acquire();
  expect(next.isWaiting).toBe(true);
  const own = a.acquire();
  expect(own.isWaiting).toBe(false);
  (await own.got)?.[Symbol.dispose]();
  expect(given).toEqual(["a"]);
  a.isRunning = false;
  slots.grant();
  await next.got;
  expect(given).toEqual(["a", "b"]);
});
