import { setImmediate as turn } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { Mailbox } from "../../src/engine/session/mailbox.ts";

test("a mailbox does one thing at a time, in order, whatever becomes of each", async () => {
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

/** V8's own collector, which nothing but this test needs. */
function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
}

test("a mailbox keeps nothing of what was done in it", async () => {
  const mailbox = new Mailbox();
  const result = new WeakRef(await mailbox.run(async () => ({ items: ["a whole snapshot"] })));
  // A reference that was just made is kept until its own task has ended.
  await turn();
  collectGarbage();
  expect(result.deref()).toBeUndefined();
  await mailbox.drain();
});
