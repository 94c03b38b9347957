import { expect, test } from "vitest";
import { Feed } from "../../src/engine/feed.ts";

test("the feed holds what a client missed, unless that is too much to hold", () => {
  const feed = new Feed();
  const service = feed.asService();
  const start = service.last;
  for (let n = 0; n < 10; n++) feed.publish("session_removed", { n });
  expect(service.since(start)?.map(({ id }) => id - start)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  expect(service.since(service.last)).toEqual([]);
  expect(service.since(service.last + 1)).toBeUndefined();
  for (let n = 0; n < 9_000; n++) feed.publish("session_removed", { n });
  expect(service.since(start)).toBeUndefined();
  expect(service.since(service.last - 4_000)).toHaveLength(4_000);
});

test("large entries are held for as long as they fit together, not by their number", () => {
  const feed = new Feed();
  const service = feed.asService();
  const text = "x".repeat(1024 * 1024);
  for (let n = 0; n < 100; n++) feed.publish("interaction_opened", { text });
  const held = [...Array(100).keys()].findLast((missed) => service.since(service.last - missed));
  expect(held).toBeGreaterThan(5);
  expect(held).toBeLessThan(17);
});
