import { expect, test } from "vitest";
import { complete, mentionOf, tokenAt } from "../src/completion/token.ts";

/** `|` marks the caret. */
const at = (text: string) => tokenAt(text.replace("|", ""), text.indexOf("|"));

test("an @ that begins a word names a file, up to the caret", () => {
  expect(at("look at @sr|c/app.ts please")).toEqual({ kind: "file", start: 8, end: 19, query: "sr" });
  expect(at("@|")).toEqual({ kind: "file", start: 0, end: 1, query: "" });
  expect(at("(see @a|)")).toMatchObject({ query: "a" });
  expect(at('open @"my no|tes.md" now')).toEqual({ kind: "file", start: 5, end: 19, query: "my no" });
});

test("addresses, decorators after words and finished mentions name none", () => {
  for (const text of ["ada@example.com|", "@done |", "no mention|", 'a @"b" |'])
    expect(at(text), text).toBeUndefined();
});

test("a slash at the very start names a command", () => {
  expect(at("/to|ur now")).toEqual({ kind: "command", start: 0, end: 5, query: "to" });
  expect(at("/|")).toMatchObject({ kind: "command", query: "" });
  for (const text of ["/tour now|", " /tour|", "a /b|"]) expect(at(text), text).toBeUndefined();
});

test("a completed name has one space after it and quotes if it needs them", () => {
  const token = at("see @my| and go");
  if (!token) throw new Error("No token");
  expect(complete("see @my and go", token, mentionOf("my notes.md"))).toEqual({
    text: 'see @"my notes.md" and go',
    caret: 19,
  });
  expect(mentionOf("src/app.ts")).toBe("@src/app.ts");
});
