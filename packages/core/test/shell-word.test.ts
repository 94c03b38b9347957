import fc from "fast-check";
import { expect, test } from "vitest";
import { commandLines, readCommandLines } from "../src/index.ts";

test("commands are read from lines as they were written, whatever their words contain", () => {
  const word = fc.oneof(fc.string(), fc.constantFrom("", "it's", "a\nb", "$(id)", "&&", "#", "~", "\\"));
  const command = fc.array(word, { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(fc.array(command, { maxLength: 4 }), (commands) => {
      expect(readCommandLines(commandLines(commands))).toEqual({ ok: true, value: commands });
    }),
  );
});

test("empty lines are no commands, and a quoted line break does not end one", () => {
  const text = "\n  npm ci  \r\n\n\tsh -c 'make &&\n make test'\n";
  expect(readCommandLines(text)).toEqual({
    ok: true,
    value: [
      ["npm", "ci"],
      ["sh", "-c", "make &&\n make test"],
    ],
  });
});

test("what only a shell understands is named, with the rest of the text", () => {
  expect(readCommandLines("npm ci\nmake && make test")).toEqual({ ok: false, error: "&& make test" });
});
