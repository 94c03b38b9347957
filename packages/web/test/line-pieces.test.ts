import { describe, expect, test } from "vitest";
import { piecesOf } from "../src/code/line-pieces.ts";

describe("a line of a change", () => {
  const stretches = [
    { text: "const a", changed: false },
    { text: "b = 1", changed: true },
  ];

  test("is split where its colour changes and where a change starts, and keeps every character", () => {
    const tokens = [
      { text: "const", look: "code-keyword" },
      { text: " ab = " },
      { text: "1", look: "code-constant" },
    ];
    expect(piecesOf(stretches, tokens)).toEqual([
      { text: "const", changed: false, look: "code-keyword" },
      { text: " a", changed: false, look: undefined },
      { text: "b = ", changed: true, look: undefined },
      { text: "1", changed: true, look: "code-constant" },
    ]);
  });

  test("is one piece without colours, and complete where they end early", () => {
    expect(piecesOf(stretches, undefined)).toBe(stretches);
    const early = piecesOf(stretches, [{ text: "con", look: "code-keyword" }]);
    expect(early.map(({ text }) => text).join("")).toBe("const ab = 1");
  });
});
