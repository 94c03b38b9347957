import { expect, test } from "vitest";
import { exactInput, exactText } from "../src/format/terminal.ts";

test.each([
  ["a bidirectional override", "\u202e"],
  ["an isolate", "\u2066"],
  ["a mark of direction", "\u061c"],
  ["a space without width", "\u200b"],
  ["a joiner between letters", "\u200d"],
  ["a soft hyphen", "\u00ad"],
  ["a filler", "\u3164"],
  ["an empty pattern", "\u2800"],
  ["a tag", "\u{e0041}"],
  ["a selector", "\ufe0f"],
  ["a selector beyond the first plane", "\u{e0100}"],
  ["a line separator", "\u2028"],
  ["a carriage return", "\r"],
  ["an escape", "\u001b"],
])("%s in what somebody goes by is spelt out", (_, character) => {
  const code = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0");
  expect(exactText(`rm${character} x`)).toBe(`rm⟨U+${code}⟩ x`);
});

test("a space that is none is spelt out in what runs, and left to prose", () => {
  expect(exactInput("rm\u00a0-rf\u3000x y")).toBe("rm⟨U+00A0⟩-rf⟨U+3000⟩x y");
  expect(exactText("Vraiment\u202f?")).toBe("Vraiment\u202f?");
});

test("words, layout and emoji stay as they are", () => {
  const text = "één\tпять\n\u26a0\ufe0f \u{1f469}\u200d\u{1f4bb} \u2764\ufe0f\u200d\u{1f525}";
  expect(exactInput(text)).toBe(text);
});
