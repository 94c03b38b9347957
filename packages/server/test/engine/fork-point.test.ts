import type { Item } from "@drover/core";
import { describe, expect, test } from "vitest";
import { align } from "../../src/engine/conversations/align.ts";
import { forkPoint } from "../../src/engine/conversations/fork-point.ts";
import type { PastItem } from "../../src/ports.ts";

/** `user Hello`, `text …`, `thinking …`, `notice …`, `tool ID`, or `tool ID of PARENT`. */
type Line = string;

function read(line: Line): Pick<Item, "kind" | "text" | "tool" | "parentToolCallId"> {
  const [, kind = "", words = "", parent] = /^(\w+) (.*?)(?: of (\S+))?$/s.exec(line) ?? [];
  const nested = parent === undefined ? {} : { parentToolCallId: parent };
  if (kind !== "tool") return { kind: kind as Item["kind"], text: words, ...nested };
  const call = { toolCallId: words, toolName: "Bash", kind: "execute", title: words } as const;
  return { kind: "tool", tool: { ...call, status: "complete", ...nested }, ...nested };
}

/** Numbered 10, 20, 30 …, because most events of a log don't start an item. */
const transcript = (...lines: Line[]): Item[] =>
  lines.map((line, index) => ({
    ...{ id: line, status: "complete", at: "2026-01-01T00:00:00.000Z", seq: (index + 1) * 10 },
    ...read(line),
  }));

/** A line may end in `@CUT`; otherwise its text is its cut. */
const memory = (...lines: Line[]): PastItem[] =>
  lines.map((line) => {
    const [said = "", cut = said] = line.split(" @");
    return cut === "never" ? read(said) : { ...read(said), cut };
  });

describe("finding a transcript in what the agent remembers", () => {
  test.for<[string, Line[], Line[], (number | undefined)[]]>([
    ["all of it is there", ["user Go", "text Yes", "tool a"], ["user Go", "text Yes", "tool a"], [0, 1, 2]],
    [
      "a prompt never arrived",
      ["user Lost", "user Go", "text Yes"],
      ["user Go", "text Yes"],
      [undefined, 0, 1],
    ],
    [
      "the beginning was compacted",
      ["user Old", "text Old", "tool a"],
      ["tool a"],
      [undefined, undefined, 0],
    ],
    ["the agent has more", ["user Go", "tool a"], ["user Go", "thinking Hm", "text Well", "tool a"], [0, 3]],
    [
      "the same text twice",
      ["user Go", "text Yes", "user Go"],
      ["user Go", "text Yes", "user Go"],
      [0, 1, 2],
    ],
    ["user messages are compared whole", ["user Go"], ["user Go on", "user Go"], [1]],
    ["whitespace is ignored", ["text A  b\n"], ["text A b"], [0]],
    ["one item for two texts", ["text One.Two.", "user Go"], ["text One.", "text Two.", "user Go"], [1, 2]],
    [
      "two items for one text",
      ["text One.", "text Two.", "user Go"],
      ["text One.Two.", "user Go"],
      [0, 0, 1],
    ],
    ["text that was cut off", ["text The fi", "user Go"], ["text The first", "user Go"], [0, 1]],
    ["a reused id", ["tool a", "user Go", "tool a~2"], ["tool a", "user Go", "tool a"], [0, 1, 2]],
    ["an id that only looks reused", ["tool a~2"], ["tool a", "tool a~2"], [1]],
    ["nested text doesn't count", ["text Fox"], ["tool a", "text Fox of a", "text Fox"], [2]],
    ["text after the next call", ["text Yes", "tool a"], ["tool a", "text Yes"], [undefined, 0]],
    ["empty text", ["text  ", "user Go"], ["text Yes", "user Go"], [undefined, 1]],
  ])("%s", ([, lines, past, places]) => {
    expect(align(transcript(...lines), memory(...past))).toEqual(places);
  });

  test("a long conversation is matched to its end", () => {
    const lines = Array.from({ length: 20_000 }, (_, n) => (n % 4 === 3 ? `tool t${n}` : `text words ${n}.`));
    expect(align(transcript(...lines), memory(...lines)).at(-1)).toBe(19_999);
  });
});

describe("a fork at an event", () => {
  const lines = ["user One", "text 1.", "user Two", "tool a", "tool b", "text 2.", "notice N", "user Three"];
  const past = ["user One", "text 1.", "user Two", "tool a @ab", "tool b @ab", "text 2.", "user Three"];
  const at = (number: number) =>
    forkPoint({ items: transcript(...lines), past: memory(...past), at: number });
  const kept = (point: ReturnType<typeof at>) => point?.items.map(({ id }) => id);

  test.for<[string, number, string | undefined, number]>([
    ["at an item's first number", 20, "text 1.", 2],
    ["within an item", 29, "text 1.", 2],
    ["at a user message", 30, "user Two", 3],
    ["at one of two parallel calls", 40, "ab", 5],
    ["at the other one", 50, "ab", 5],
    ["at a notice", 70, "text 2.", 7],
    ["before the notice", 69, "text 2.", 6],
    ["at the end", 999, "user Three", 8],
    ["before anything was said", 5, undefined, 0],
  ])("%s", ([, number, upTo, count]) => {
    const point = at(number);
    expect(point?.upTo).toBe(upTo);
    expect(kept(point)).toEqual(lines.slice(0, count));
  });

  test("keeps everything done for a call, even if it came later", () => {
    const nested = ["tool a", "tool b", "text Fox of a", "tool c of b", "text Owl of c", "text Done"];
    const point = forkPoint({
      items: transcript(...nested),
      past: memory("tool a @ab", "tool b @ab", "text Done"),
      at: 10,
    });
    expect(kept(point)).toEqual(nested.slice(0, 5));
  });

  test("is impossible where the agent remembers nothing or a call has no result", () => {
    const items = transcript("user One", "text Gone", "tool a");
    const remembered = memory("user One", "tool a @never");
    expect(forkPoint({ items, past: remembered, at: 20 })).toBeUndefined();
    expect(forkPoint({ items, past: remembered, at: 30 })).toBeUndefined();
  });

  test("falls back to the last possible point if an earlier one is allowed", () => {
    const items = transcript("user One", "text 1.", "notice N", "user Lost");
    const remembered = memory("user One", "text 1.");
    const point = forkPoint({ items, past: remembered, at: 999, orEarlier: true });
    expect(point?.upTo).toBe("text 1.");
    expect(kept(point)).toEqual(["user One", "text 1."]);
    expect(forkPoint({ items, past: [], at: 999, orEarlier: true })).toBeUndefined();
    expect(forkPoint({ items: [], past: [], at: 999, orEarlier: true })).toEqual({ items: [] });
  });
});
