import { hasForbiddenCharacter, makeId, makeName, nameSchema, utf8Length } from "@drover/core";
import fc from "fast-check";
import { expect, it } from "vitest";
import { anyText } from "../../../test/kit/any-text.ts";

it("counts the UTF-8 bytes of any text", () => {
  fc.assert(
    fc.property(anyText(), (text) => {
      expect(utf8Length(text)).toBe(Buffer.byteLength(text, "utf8"));
    }),
  );
});

it("rejects NUL and lone surrogates", () => {
  expect(hasForbiddenCharacter("a\0b")).toBe(true);
  expect(hasForbiddenCharacter("\ud83d")).toBe(true);
  expect(hasForbiddenCharacter("🐑\n\t")).toBe(false);
});

it("makes ids that sort by time", () => {
  const early = makeId("session", 1_000, () => 31);
  const late = makeId("session", 2_000, () => 0);
  expect(early).toMatch(/^ses_[0-9a-z]{26}$/);
  expect(early < late).toBe(true);
});

it("makes valid names: two words, and a number once too many of those are taken", () => {
  let n = 0;
  const random = () => n++ % 32;
  for (let refused = 0; refused < 2000; refused++) {
    const name = makeName(random, refused);
    expect(nameSchema.safeParse(name).success).toBe(true);
    expect(/-\d+$/.test(name)).toBe(refused >= 8);
  }
});
