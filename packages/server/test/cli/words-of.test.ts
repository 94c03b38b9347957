import { expect, test } from "vitest";
import { readWords } from "../../src/cli/words-of.ts";

test.for<[string, string[]]>([
  ["npm ci", ["npm", "ci"]],
  ["  make   -j4  ", ["make", "-j4"]],
  [`sh -c 'npm ci && npm run build'`, ["sh", "-c", "npm ci && npm run build"]],
  [`echo "a \\"b\\"" c\\ d ''`, ["echo", 'a "b"', "c d", ""]],
  ["./setup --env=test,ci", ["./setup", "--env=test,ci"]],
])("%s is split into words", ([text, words]) => {
  expect(readWords(text)).toEqual(words);
});

test.for([
  "npm ci && make",
  "echo $HOME",
  'echo "$(id)"',
  "ls *.ts",
  "a > b",
  "cat < b",
  "a; b",
  "x 'open",
  "",
])("%s is refused: it needs a shell, or is no command", (text) => {
  expect(() => readWords(text)).toThrow(/sh -c|empty/);
});
