import { setImmediate as turn } from "node:timers/promises";
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

test("a mailbox keeps nothing of what was done in it", async () => {
  const mailbox = new Mailbox();
  expect(await mailbox.run(async () => "a whole snapshot")).toBe("a whole snapshot");
  expect(await mailbox.drain()).toBeUndefined();
});
