import { expect, test } from "vitest";
import { Chunks } from "../src/transcript/chunks.ts";

const paragraph = (n: number) => `Paragraph ${n}, which says a little and means it.\n\n`;
const text = [
  ...Array.from({ length: 200 }, (_, n) => paragraph(n)),
  "```md\n",
  ...Array.from({ length: 200 }, (_, n) => `Inside code ${n}.\n\n`),
  "```\n\n",
  "1. one\n\n2. two\n\n   and more of two\n\n",
  ...Array.from({ length: 200 }, (_, n) => paragraph(n)),
].join("");

test("a long text is split between blocks, never inside code, and loses nothing", () => {
  const chunks = new Chunks().read(text);
  expect(chunks.join("")).toBe(text);
  expect(chunks.length).toBeGreaterThan(5);
  for (const chunk of chunks.slice(1)) expect(chunk).toMatch(/^Paragraph/);
  for (const chunk of chunks) expect((chunk.match(/^```/gm) ?? []).length % 2).toBe(0);
});

test("a text that grows in any steps ends up with the chunks it has when it arrives at once", () => {
  const whole = new Chunks().read(text);
  const growing = new Chunks();
  let size = 0;
  let kept: readonly string[] = [];
  for (let step = 1; size < text.length; step = (step * 7) % 83) {
    size += step;
    const now = growing.read(text.slice(0, size));
    expect(now.slice(0, Math.max(0, kept.length - 1))).toEqual(kept.slice(0, -1));
    kept = [...now];
  }
  expect(kept).toEqual(whole);
});

test("a replaced text is parsed from its beginning", () => {
  const chunks = new Chunks();
  chunks.read(text);
  expect(chunks.read("Something else.\n")).toEqual(["Something else.\n"]);
});

test.each([
  ["shorter fences", ["````md", "```\ncode\n```", "````"]],
  ["fences of the other kind", ["~~~", "```js\ncode\n```", "~~~~"]],
  ["fences with words behind them", ["```", "```js", "```"]],
])("a block of code ends with its own fence: %s inside it are code", (_, [begin, inner, end]) => {
  const inside = Array.from({ length: 200 }, (_, n) => `${inner}\n\nInside code ${n}, and more of it.\n\n`);
  const code = `${begin}\n${inside.join("")}${end}\n\n`;
  const after = Array.from({ length: 200 }, (_, n) => paragraph(n)).join("");
  const chunks = new Chunks().read(code + after);
  expect(chunks.join("")).toBe(code + after);
  expect(chunks[0]?.startsWith(code)).toBe(true);
  expect(chunks.length).toBeGreaterThan(2);
});

test("backticks within a line of text are no fence", () => {
  const words = `\`\`\`js is a fence\`\`\`\n\n${Array.from({ length: 200 }, (_, n) => paragraph(n)).join("")}`;
  expect(new Chunks().read(words).length).toBeGreaterThan(2);
});
