import { expect, test } from "vitest";
import { rank, rankPaths, score } from "../src/fuzzy.ts";

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

test("a session is found by its name, whatever its title begins with", () => {
  const text = "Slugs of unicode titles: use one helper slug-unicode · claude · shop";
  expect(score("slug-unicode", text)).toBeDefined();
  expect(ranked("slug-unicode", ["Show slugs, undo nothing in code", text])[0]).toBe(text);
});

test("every subsequence matches: a letter that begins a word is not taken where the rest would be missed", () => {
  expect(score("sun", "sun set")).toBeDefined();
  expect(score("sen", "seven same")).toBeDefined();
  expect(score("abc", "abxc b")).toBeDefined();
});

test("whole words beat starts of words, which beat other substrings, which beat separate letters", () => {
  expect(ranked("test", ["t e s t", "contest", "tester", "unit test"])).toEqual([
    "unit test",
    "tester",
    "contest",
    "t e s t",
  ]);
});

test("of paths, those whose own name matches come first; without a query, those nearest to the top", () => {
  const paths = ["session/deep/x.ts", "src/session.ts", "lib/my-session.ts", "s/e/s/s/i/o/n.ts", "readme.md"];
  expect(rankPaths("session", paths, 3)).toEqual([
    "src/session.ts",
    "lib/my-session.ts",
    "session/deep/x.ts",
  ]);
  expect(rankPaths("session", paths, 9)).toContain("s/e/s/s/i/o/n.ts");
  expect(rankPaths("", paths, 2)).toEqual(["readme.md", "src/session.ts"]);
});
