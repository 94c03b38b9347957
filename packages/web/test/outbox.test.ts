import { ok, type Receipt } from "@drover/core";
import { expect, test } from "vitest";
import { Outbox } from "../src/state/outbox.ts";

const receipt: Receipt = {
  messageId: "msg_1",
  sessionId: "ses_1",
  queuePosition: 0,
  requested: "queue",
  applied: "started",
  cursor: 4,
};

/** An outbox whose receipts arrive when the test decides. */
function open() {
  const answers: (() => Promise<void>)[] = [];
  const request = <T>() => {
    const answer = Promise.withResolvers<ReturnType<typeof ok<T>>>();
    answers.push(async () => {
      answer.resolve(ok({ receipt } as T));
      // By the time a later task runs, everything that follows the answer has run.
      await new Promise((resolve) => setImmediate(resolve));
    });
    return answer.promise;
  };
  const outbox = new Outbox({ request, onOpen: () => () => undefined }, () => undefined);
  return { outbox, accept: () => answers.shift()?.() };
}

const contents = ({ prompts }: Outbox) => prompts.get().map(({ content }) => content);

test("a prompt stays until the transcript shows its message", async () => {
  const { outbox, accept } = open();
  outbox.send("ses_1", "hello");
  await accept();
  expect(contents(outbox)).toEqual(["hello"]);
  outbox.reached("ses_1", 4);
  outbox.reached("ses_2", 9);
  expect(contents(outbox)).toEqual(["hello"]);
  outbox.reached("ses_1", 5);
  expect(contents(outbox)).toEqual([]);
});

test("a prompt whose message was shown before its receipt arrived does not stay", async () => {
  const { outbox, accept } = open();
  outbox.send("ses_1", "hello");
  outbox.reached("ses_1", 6);
  expect(contents(outbox)).toEqual(["hello"]);
  await accept();
  expect(contents(outbox)).toEqual([]);
});
