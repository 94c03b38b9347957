import { describe, expect, test } from "vitest";
import { splitAtDeepNesting } from "../src/transcript/nesting.ts";

describe("H8 deeply nested Markdown", () => {
  const list = (levels: number) => Array.from({ length: levels }, (_, at) => `${"  ".repeat(at)}- x${at}`);

  test.each([
    ["lists", list(1_000).join("\n")],
    ["lists on one line", `${"- ".repeat(1_000)}x`],
    ["numbered lists", `${"1. ".repeat(1_000)}x`],
    ["quotes", `${">".repeat(1_000)} x`],
    ["quotes with blanks", `${"> ".repeat(1_000)}x`],
    ["lists indented by tabs", `${"\t".repeat(1_000)}- x`],
  ])("becomes plain text where it is too deep: %s", (_what, text) => {
    const whole = `Words.\n\n${text}\n\nMore.`;
    const { shallow, deep } = splitAtDeepNesting(whole);
    expect(shallow + deep).toBe(whole);
    expect(shallow).toMatch(/^Words\./);
    expect(shallow.split("\n").length).toBeLessThan(36);
    expect(deep).toContain("More.");
  });

  test.each([
    ["lists as people write them", list(12).join("\n")],
    ["deep code", `\`\`\`yaml\n${list(100).join("\n")}\n\`\`\``],
    ["text far to the right", `${" ".repeat(200)}word`],
    ["a rule", "-".repeat(500)],
  ])("stays Markdown: %s", (_what, text) => {
    expect(splitAtDeepNesting(text)).toEqual({ shallow: text, deep: "" });
  });
});
