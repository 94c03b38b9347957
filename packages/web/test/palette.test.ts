import { expect, test } from "vitest";
import { rank, score } from "../src/palette/fuzzy.ts";

const ranked = (typed: string, texts: string[]) => rank(typed, texts, (text) => text);

test("letters must all be there, in order", () => {
  expect(score("inb", "Inbox")).toBeDefined();
  expect(score("bni", "Inbox")).toBeUndefined();
  expect(score("inboxx", "Inbox")).toBeUndefined();
});

test("what begins words or comes in a row beats letters strewn about", () => {
  expect(ranked("ns", ["Pages and sessions", "New session", "Inbox"])).toEqual([
    "New session",
    "Pages and sessions",
  ]);
  expect(ranked("doc", ["Dropped on clients", "Doctor"])[0]).toBe("Doctor");
});

test("of two equal matches the shorter comes first, and spaces do not matter", () => {
  expect(ranked("fix login", ["Fix the login test of the shop", "Fix login"])).toEqual([
    "Fix login",
    "Fix the login test of the shop",
  ]);
});

test("while nothing is typed everything keeps its order", () => {
  expect(ranked(" ", ["b", "a"])).toEqual(["b", "a"]);
});

test("letters beyond the first plane are letters like any other", () => {
  expect(ranked("🦬x", ["a 🦬 x", "x 🦬"])).toEqual(["a 🦬 x"]);
});
