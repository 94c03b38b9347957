import { expect, test } from "vitest";
import { Semaphore } from "../../src/process/semaphore.ts";

test("at most n tasks run at once, in order, and a failure frees its slot", async () => {
  const semaphore = new Semaphore(2);
  const started: number[] = [];
  const gates = [0, 1, 2, 3].map(() => Promise.withResolvers<number>());
  const runs = gates.map((gate, n) =>
    semaphore.run(() => {
      started.push(n);
      return gate.promise;
    }),
  );
  await Promise.resolve();
  expect(started).toEqual([0, 1]);

  gates[1]?.reject(new Error("failed"));
  await expect(runs[1]).rejects.toThrow("failed");
  expect(started).toEqual([0, 1, 2]);

  gates[0]?.resolve(10);
  expect(await runs[0]).toBe(10);
  expect(started).toEqual([0, 1, 2, 3]);
  gates[2]?.resolve(12);
  gates[3]?.resolve(13);
  expect(await Promise.all(runs.slice(2))).toEqual([12, 13]);
});

test("a signal leaves the queue, but does not end what has begun", async () => {
  const semaphore = new Semaphore(1);
  const gate = Promise.withResolvers<void>();
  const controller = new AbortController();
  const begun = semaphore.run(() => gate.promise, controller.signal);
  const waiting = semaphore.run(() => "never", controller.signal);
  const next = semaphore.run(() => "next");
  controller.abort(new Error("too late"));
  await expect(waiting).rejects.toThrow("too late");
  await expect(semaphore.run(() => "never", controller.signal)).rejects.toThrow("too late");
  gate.resolve();
  await begun;
  expect(await next).toBe("next");
});

test("a semaphore without slots is rejected", () => {
  expect(() => new Semaphore(0)).toThrow(RangeError);
});
