import { lineOf, type Said, type SessionEvent, saidAfter } from "@drover/core";
import { describe, expect, test } from "vitest";

const text = (text: string, fields: Record<string, unknown> = {}) =>
  ({ type: "text_delta", itemId: "itm_1", text, ...fields }) as SessionEvent;
const lineAfter = (...events: SessionEvent[]) => {
  const said = events.reduce<Said | undefined>(saidAfter, undefined);
  return said && lineOf(said);
};

describe("the last line of a worker", () => {
  test.each<[string, string[], string | undefined]>([
    ["is nothing before it speaks", [], undefined],
    ["is nothing if it says nothing", ["\n", "---\n"], undefined],
    ["grows with its text", ["I r", "ead the", " file"], "I read the file"],
    ["is the last of several", ["one\ntwo\n\nthree"], "three"],
    ["stays until the next one says something", ["one\n", "\n", "  "], "one"],
    ["ends with a line break", ["one\n", "two"], "two"],
    ["ends with a line break of two characters", ["one\r\n", "two"], "two"],
    ["is not a fence or a bracket", ["Done:\n```json\n", "{\n}\n```\n"], "```json"],
    ["is plain text", ["a\tb\u001b[0m  c\u202e"], "a b [0m c"],
    ["is cut off", ["x".repeat(150), "y".repeat(150), "z"], "x".repeat(150) + "y".repeat(50)],
  ])("%s", (_, pieces, line) => {
    expect(lineAfter(...pieces.map((piece) => text(piece)))).toBe(line);
  });

  test("starts again with another text, and comes from the worker itself", () => {
    expect(lineAfter(text("one"), text("two", { itemId: "itm_2" }))).toBe("two");
    expect(lineAfter(text("one"), text("two", { itemId: "itm_2", parentToolCallId: "call" }))).toBe("one");
    const thought = { type: "thinking_delta", itemId: "itm_2", text: "two" } as SessionEvent;
    expect(lineAfter(text("one"), thought)).toBe("one");
  });
});
