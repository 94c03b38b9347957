import fc from "fast-check";
import { expect, test } from "vitest";
import { commandParts } from "../src/interaction/command-parts.ts";

const shown = (command: string) =>
  commandParts(command)
    .filter(({ kind }) => kind !== "space")
    .map(({ kind, text }) => `${kind} ${text}`);

test("a command's parts add up to the command, whatever it is", () => {
  const pieces = fc.constantFrom(..."ab -=$(){}|;&<>`'\"\\#\n\t0é");
  const commands = fc.oneof(fc.string({ unit: pieces, maxLength: 60 }), fc.string({ unit: "binary" }));
  fc.assert(
    fc.property(commands, (command) => {
      expect(
        commandParts(command)
          .map(({ text }) => text)
          .join(""),
      ).toBe(command);
    }),
    { numRuns: 2_000 },
  );
});

test("every program that would run stands out, and so do the operators between them", () => {
  expect(shown("make test && rm -rf build; ls | wc -l")).toEqual([
    "program make",
    "word test",
    "operator &&",
    "program rm",
    "flag -rf",
    "word build",
    "operator ;",
    "program ls",
    "operator |",
    "program wc",
    "flag -l",
  ]);
});

test("substitutions, redirections and variables are highlighted", () => {
  expect(shown('FOO=1 echo $(cat ~/.ssh/id) > "$HOME/x y" 2>&1 $A # why')).toEqual([
    "word FOO=1",
    "program echo",
    "operator $(",
    "program cat",
    "word ~/.ssh/id",
    "operator )",
    "operator >",
    'text "$HOME/x y"',
    "operator 2>&1",
    "variable $A",
    "comment # why",
  ]);
});

test("a new line starts a new command, and # inside a word is no comment", () => {
  expect(shown("cd a#b\nrm x")).toEqual(["program cd", "word a#b", "program rm", "word x"]);
});

test("a quoted string that runs something looks like a command, not like a string", () => {
  expect(shown('echo "$(id)" "`id`" "plain" \'$(id)\'')).toEqual([
    "program echo",
    'operator "$(id)"',
    'operator "`id`"',
    'text "plain"',
    "text '$(id)'",
  ]);
});
