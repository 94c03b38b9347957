import { err, ok, type Result } from "@drover/core";
import { expect, test } from "vitest";
import { Resource } from "../src/state/resource.ts";
import type { Problem } from "../src/transport/wire.ts";

const problem: Problem = { code: "BROKEN", message: "It is broken." };

/** A resource whose requests are answered when the test says so. */
function resource() {
  const requests: ((answer: Result<string, Problem>) => Promise<void>)[] = [];
  const made = new Resource<string>(() => {
    const answered = Promise.withResolvers<Result<string, Problem>>();
    requests.push(async (answer) => {
      answered.resolve(answer);
      await new Promise((resolve) => setImmediate(resolve));
    });
    return answered.promise;
  });
  return { made, requests };
}

test("all who use it at the same time share one request, and later ones see the last answer", async () => {
  const { made, requests } = resource();
  expect(made.state.get()).toEqual({ busy: true });
  made.load();
  made.load();
  expect(requests).toHaveLength(1);
  await requests[0]?.(ok("one"));
  expect(made.state.get()).toEqual({ busy: false, value: "one" });
  made.load();
  expect(made.state.get()).toEqual({ busy: true, value: "one" });
});

test("an answer stays when the next one fails, and the problem goes when it is asked for again", async () => {
  const { made, requests } = resource();
  made.load();
  await requests[0]?.(ok("one"));
  made.load();
  await requests[1]?.(err(problem));
  expect(made.state.get()).toEqual({ busy: false, value: "one", problem });
  made.load();
  expect(made.state.get()).toEqual({ busy: true, value: "one" });
});

test("a reload drops the answer that was on its way", async () => {
  const { made, requests } = resource();
  made.load();
  void made.reload();
  await requests[1]?.(ok("new"));
  await requests[0]?.(ok("old"));
  expect(made.state.get()).toEqual({ busy: false, value: "new" });
});
