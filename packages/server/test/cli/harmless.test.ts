import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyText } from "../../../../test/kit/any-text.ts";
import { HarmlessStream, harmless, harmlessJson } from "../../src/cli/terminal/harmless.ts";
import { colours, hostileWords, strays } from "./hostile-words.ts";

/** Text with many terminal control characters. */
const steering = fc
  .array(
    fc.oneof(
      fc.constantFrom(...Object.values(hostileWords)),
      fc.constantFrom(
        "\u001b",
        "[",
        "]",
        ";",
        "31",
        "m",
        "\u009b",
        "\r",
        "\n",
        "\t",
        "\ud83d",
        "\udc11",
        "⟨",
      ),
      anyText(),
      fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)) }),
    ),
    { maxLength: 12 },
  )
  .map((pieces) => pieces.join(""));

const invisible = /(?![\t\n])[\p{Cc}\p{Bidi_C}\p{Cs}\p{Zl}\p{Zp}]/gu;

describe("text made harmless", () => {
  test("H5 contains only text, line breaks and tabs", () => {
    const isText = fc.property(steering, (text) => {
      expect(strays(harmless(text))).toEqual([]);
    });
    fc.assert(isText, { numRuns: 2_000 });
  });

  test("H5 keeps every visible character, including those in escape sequences", () => {
    // In one pass: removing colours first could join two half characters that stood around one.
    const unseen = new RegExp(`${colours.source}|${invisible.source}`, "gu");
    const visible = (text: string) => text.replace(unseen, "");
    const shown = (text: string) => harmless(text).replace(/⟨U\+[0-9A-F]{4,6}⟩/g, "");
    const unlike = steering.filter((text) => !text.includes("⟨"));
    const isWhole = fc.property(unlike, (text) => {
      expect(shown(text)).toBe(visible(text));
    });
    fc.assert(isWhole, { numRuns: 2_000 });
  });

  test.for(Object.entries(hostileWords))("H5 shows what %s carries", ([, words]) => {
    expect(harmless(words)).toContain("PAYLOAD");
    expect(strays(harmless(words))).toEqual([]);
  });

  test("H5 is the same in pieces of any length", () => {
    const cuts = fc.array(fc.nat({ max: 40 }), { maxLength: 8 });
    fc.assert(
      fc.property(steering, cuts, (text, sizes) => {
        const stream = new HarmlessStream();
        let shown = "";
        let at = 0;
        for (const size of sizes) {
          shown += stream.push(text.slice(at, at + size));
          at += size;
        }
        shown += stream.push(text.slice(at)) + stream.end();
        expect(shown).toBe(harmless(text));
      }),
      { numRuns: 2_000 },
    );
  });

  test("H5 holds back no more of a stream than an incomplete sequence", () => {
    const stream = new HarmlessStream();
    expect(stream.push(`word \u001b[${"1".repeat(1_000)}`)).toContain("word ⟨U+001B⟩[111");
    expect(stream.push("a\u001b[3")).toBe("a");
    expect(stream.push("1mb")).toBe("b");
  });

  test("H5 leaves words of any language, line breaks and emoji unchanged", () => {
    const text = "a\tb\nnaïve 日本語 فارسی‌ها 👨‍👩‍👧 1️⃣ 🐑";
    expect(harmless(text)).toBe(text);
    expect(harmless("one\r\ntwo\u001b[1m!\u001b[0m")).toBe("one\ntwo!");
  });
});

test("H5 JSON for a terminal has more escapes and the same meaning", () => {
  fc.assert(
    fc.property(fc.oneof(steering, fc.jsonValue()), (value) => {
      const shown = harmlessJson(JSON.stringify(value));
      expect(strays(shown)).toEqual([]);
      expect(JSON.parse(shown)).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});
