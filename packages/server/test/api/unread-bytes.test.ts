import { expect, test } from "vitest";
import { UnreadBytes } from "../../src/api/http/unread-bytes.ts";

function readers(...names: string[]) {
  const cut: string[] = [];
  return { cut, readers: names.map((name) => ({ cut: () => void cut.push(name) })) };
}

test("over the limit, the connection that has read nothing for longest is cut off", () => {
  const {
    cut,
    readers: [a, b, c],
  } = readers("a", "b", "c");
  if (!a || !b || !c) throw new Error("unreachable");
  const unread = new UnreadBytes(100);
  unread.set(a, 40);
  unread.set(b, 40);
  expect(cut).toEqual([]);
  // It has read something, so that the other one has waited longer.
  unread.set(a, 30);
  unread.set(c, 60);
  expect(cut).toEqual(["b"]);
  unread.set(b, 0);
  unread.set(c, 70);
  expect(cut).toEqual(["b"]);
  unread.set(c, 71);
  expect(cut).toEqual(["b", "a"]);
});

test("read data and closed connections free their share of the limit", () => {
  const {
    cut,
    readers: [a, b],
  } = readers("a", "b");
  if (!a || !b) throw new Error("unreachable");
  const unread = new UnreadBytes(100);
  for (let at = 0; at < 10; at++) {
    unread.set(a, 90);
    unread.set(a, 0);
  }
  unread.set(b, 100);
  expect(cut).toEqual([]);
});
