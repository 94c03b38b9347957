import { err, ok, type Result } from "@drover/core";
import { expect, test } from "vitest";
import { Resource } from "../src/state/resource.ts";
import type { Problem } from "../src/transport/wire.ts";

const problem: Problem = { code: "BROKEN", message: "It is broken." };

/** A controlledResource whose requests are answered when the test decides. */
function controlledResource() {
  const requests: ((answer: Result<string, Problem>) => Promise<void>)[] = [];
  const resource = new Resource<string>(() => {
    const answered = Promise.withResolvers<Result<string, Problem>>();
    requests.push(async (answer) => {
      answered.resolve(answer);
      await new Promise((resolve) => setImmediate(resolve));
    });
    return answered.promise;
  });
  return { resource, requests };
}

test("concurrent users share one request, and later ones see the last answer", async () => {
  const { resource, requests } = controlledResource();
  expect(resource.state.get()).toEqual({ busy: true });
  resource.load();
  resource.load();
  expect(requests).toHaveLength(1);
  await requests[0]?.(ok("one"));
  expect(resource.state.get()).toEqual({ busy: false, value: "one" });
  resource.load();
  expect(resource.state.get()).toEqual({ busy: true, value: "one" });
});

test("an answer stays when the next request fails, and the problem clears with a retry", async () => {
  const { resource, requests } = controlledResource();
  resource.load();
  await requests[0]?.(ok("one"));
  resource.load();
  await requests[1]?.(err(problem));
  expect(resource.state.get()).toEqual({ busy: false, value: "one", problem });
  resource.load();
  expect(resource.state.get()).toEqual({ busy: true, value: "one" });
});

test("a reload discards the answer in flight", async () => {
  const { resource, requests } = controlledResource();
  resource.load();
  void resource.reload();
  await requests[1]?.(ok("new"));
  await requests[0]?.(ok("old"));
  expect(resource.state.get()).toEqual({ busy: false, value: "new" });
});
