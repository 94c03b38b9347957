import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { shared } from "./kit/shared-files.ts";

/** The modules next to the tests, and the kit. */
const helpers = () => {
  const beside = shared.map((pattern) => pattern.replace("*.test.ts", "*.ts"));
  return globSync([...beside, "test/kit/*.ts"]).filter((path) => !/\.test\.ts$|kit\/setup\.ts$/.test(path));
};

/** What a module does only once: files that share a worker import the same module. */
const once = [
  { found: /^(before|after)(All|Each)\(/m, why: "a hook runs for the first file only" },
  {
    found: /^(?:export )?(?:const|let) [^=\n]+= (?:\{[^}]*?|join\()[^;]*?process\.env(?:\.HOME|\["HOME"\])/m,
    why: "HOME is the first file's",
  },
];

test("helpers of files that share a worker keep no state of the first file", () => {
  const paths = helpers();
  expect(paths.length).toBeGreaterThan(20);
  const mistakes = paths.flatMap((path) => {
    const text = readFileSync(path, "utf8");
    return once.filter(({ found }) => found.test(text)).map(({ why }) => `${path}: ${why}`);
  });
  expect(mistakes).toEqual([]);
});
