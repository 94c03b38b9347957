// What Drover writes to workers must say what it expects of them.
import { join } from "node:path";
import { modeRules, parseSignal, proposalFolder, workerModes } from "@drover/core";
import { describe, expect, test } from "vitest";
import { readFrontMatter } from "../../src/workspace/front-matter.ts";
import { workerTexts } from "../../src/workspace/worker-texts.ts";

const { mode: textOf, instruction } = workerTexts(join(import.meta.dirname, "../../src"));

/** Indented examples, without their indentation. */
const examplesIn = (text: string): string[] =>
  text
    .split(/\n(?! {4}|\n)/)
    .flatMap((part) => / {4}(?:.|\n)*/.exec(part)?.[0] ?? [])
    .map((example) => example.replaceAll(/^ {4}/gm, ""));

describe.each(workerModes)("a worker of the mode %s", (mode) => {
  const text = textOf(mode);
  const { brings } = modeRules[mode];

  test("learns where its input is and every form of a signal", () => {
    expect(text).toContain("`.drover/input/manifest.json`");
    expect(text).not.toMatch(/\{\w+\}/);
    const signals = examplesIn(text).filter((example) => example.includes('"status"'));
    const known = signals.map((example) => parseSignal(example.replaceAll(/^```.*$/gm, "")));
    expect(known.map((found) => found.ok && found.signal.status)).toEqual([
      ...["done", "questions", "error", "done"],
    ]);
  });

  test("learns what it brings, with an example that Drover can read", async () => {
    for (const kind of brings) {
      expect(text).toContain(`.drover/output/${proposalFolder(kind)}/`);
      const example = examplesIn(text).find((each) => each.startsWith("---\n"));
      expect(await readFrontMatter(example ?? "")).toMatchObject({ front: { title: expect.any(String) } });
    }
    expect(text.includes("Drover denies every")).toBe(brings.length > 0);
  });
});

test("a reminder says what is wrong", () => {
  expect(instruction("It costs $& and $1.")).toContain("It costs $& and $1.");
});
