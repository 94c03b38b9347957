import { expect, test } from "vitest";
import { claimedIds } from "../scripts/acceptance.ts";

test("a case is claimed by the title of a test that runs, and by nothing else", () => {
  const source = `
    test("S1 a client that drops mid-turn …", () => {});
    it.skipIf(!chromium)(\`S2 an old cursor after \${seconds} s\`, () => {});
    test("A3 A9 one answer wins", () => {});
    test.for([["X1 ignores TERM", 1], ["X4 connects and dies", 2]])("%s", () => {});
    behaviour("L1 a long turn is not stolen", () => {});
    const checks = [check("C6 git hangs", hang), behaviour("P1 arrives whole", longPrompt, can("prompt"))];
    describe("D1 storage", () => { test("is kept", () => expect("note").toBe("D2 is no title")); });
    test.skip("D4 not today", () => {});
    test.todo("D5 some day");
    test("GX1 is no id", () => {});
  `;
  expect(claimedIds("made-up.test.ts", source)).toEqual([
    "S1",
    "S2",
    "A3",
    "A9",
    "X1",
    "X4",
    "L1",
    "C6",
    "P1",
  ]);
});
