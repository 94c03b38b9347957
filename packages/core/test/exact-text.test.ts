import { exactInput, exactText } from "@drover/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyText } from "../../../test/kit/any-text.ts";

/** Decodes the notation, as a reader would. */
const read = (shown: string) =>
  shown.replace(/⟨U\+([0-9A-F]{4,6})⟩/g, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)));

describe("exact text", () => {
  test.each([
    ["an escape sequence", "a\u001b]0;title\u0007b", "a⟨U+001B⟩]0;title⟨U+0007⟩b"],
    ["a C1 control", "a\u009bb", "a⟨U+009B⟩b"],
    ["a carriage return", "rm -rf ~\rls", "rm -rf ~⟨U+000D⟩ls"],
    ["a bidirectional override", "\u202egnp.exe", "⟨U+202E⟩gnp.exe"],
    ["a zero-width space", "ca\u200bt", "ca⟨U+200B⟩t"],
    ["a tag character", "a\u{e0061}", "a⟨U+E0061⟩"],
    ["a filler letter", "a\u3164", "a⟨U+3164⟩"],
    ["a private-use character", "a\ue000", "a⟨U+E000⟩"],
    ["a noncharacter", "a\ufdd0\u{10ffff}", "a⟨U+FDD0⟩⟨U+10FFFF⟩"],
    ["a lone surrogate", "a\ud800", "a⟨U+D800⟩"],
  ])("spells out %s", (_, text, shown) => {
    expect(exactText(text)).toBe(shown);
  });

  test("leaves words, tabs, line breaks and emoji as they are", () => {
    const text = "naïve 日本語\t👨‍👩‍👧 ❤️\nnext";
    expect(exactText(text)).toBe(text);
  });

  test("spells out unusual spaces only in input", () => {
    expect(exactText("a\u00a0b")).toBe("a\u00a0b");
    expect(exactInput("a\u00a0b")).toBe("a⟨U+00A0⟩b");
  });

  test("is never ambiguous: it decodes to the original text", () => {
    const piece = fc.oneof(
      anyText(),
      fc.constantFrom("⟨", "⟩", "⟨U+001B⟩", "U+27E8⟩", "\u001b", "\u202e", "\u00a0", "\ud800"),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        const text = pieces.join("");
        expect(read(exactText(text))).toBe(text);
        expect(read(exactInput(text))).toBe(text);
      }),
    );
  });
});
