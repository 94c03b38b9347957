import { setImmediate as turn } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { Mailbox } from "../../src/engine/session/mailbox.ts";

test("a mailbox runs one task at a time, in order, even if some fail", async () => {
  const mailbox = new Mailbox();
  const done: string[] = [];
  const first = mailbox.run(async () => {
    await turn();
    done.push("first");
    throw new Error("no");
  });
  const second = mailbox.run(async () => {
    done.push("second");
    return 2;
  });
  await expect(first).rejects.toThrow("no");
  expect(await second).toBe(2);
  expect(done).toEqual(["first", "second"]);
});

/** V8's garbage collector, which only this test needs. */
function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
}

test("a mailbox keeps no reference to finished tasks", async () => {
  const mailbox = new Mailbox();
  const result = new WeakRef(await mailbox.run(async () => ({ items: ["a whole snapshot"] })));
  // A new WeakRef keeps its target alive until the current task has ended.
  await turn();
  collectGarbage();
  expect(result.deref()).toBeUndefined();
  await mailbox.drain();
});
