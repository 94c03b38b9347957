import { pathBytes, pathText } from "@drover/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyText } from "../../../test/kit/any-text.ts";

const utf8 = (text: string) => Buffer.from(text).toString("latin1");

describe("the text of a file name", () => {
  test.each([
    ["plain.txt", "plain.txt"],
    [utf8("Zürich 東京 🐑.txt"), "Zürich 東京 🐑.txt"],
    ["caf\xe9.txt", "caf⟨0xE9⟩.txt"],
    ["\xed\xa0\x80", "⟨0xED⟩⟨0xA0⟩⟨0x80⟩"],
    ["\xc0\xaf", "⟨0xC0⟩⟨0xAF⟩"],
    ["\xe6\x9d", "⟨0xE6⟩⟨0x9D⟩"],
    [utf8("⟨0xE9⟩"), "⟨0xE2⟩⟨0x9F⟩⟨0xA8⟩0xE9⟩"],
    [utf8("⟨0xe9⟩ ⟨"), "⟨0xe9⟩ ⟨"],
  ])("of %j is %s", (bytes, text) => {
    expect(pathText(bytes)).toBe(text);
    expect(pathBytes(text)).toBe(bytes);
  });

  test("converts back to its bytes, whatever they are", () => {
    const byte = fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code));
    const chunk = fc.oneof(byte, anyText().map(utf8), fc.constant(utf8("⟨0xE9⟩")));
    fc.assert(
      fc.property(fc.array(chunk), (chunks) => {
        const bytes = chunks.join("");
        expect(pathBytes(pathText(bytes))).toBe(bytes);
      }),
    );
  });

  test("is the name itself if that is valid UTF-8", () => {
    const name = fc.string({ unit: "grapheme" }).filter((text) => !text.includes("⟨0x"));
    fc.assert(fc.property(name, (text) => pathText(utf8(text)) === text));
  });
});
