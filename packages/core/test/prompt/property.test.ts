import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { anyText } from "../../../../test/kit/any-text.ts";
import { rounds } from "../../../../test/kit/soak.ts";
import { buildPrompt, type PromptInput, type Sections, splitPrompt, utf8Length } from "../../src/index.ts";

const runs = { numRuns: rounds(1_000, 10_000) };

/** Seconds on a machine of its own, many of them on one that others use. */
vi.setConfig({ testTimeout: 180_000 });

/** Lines that look like what frames a prompt, between lines that do not. */
const line = fc.oneof(
  fc.constantFrom(
    ...[
      "[SYSTEM]",
      "[CONTEXT]",
      "[MESSAGE]",
      " [MESSAGE]",
      "[MESSAGE]\r",
      "[SYSTEM 7f3a9c]",
      "[7f3a9c] a: b",
    ],
    ...[
      "ann -> bob: hi",
      "ann: hi",
      "Note: this",
      "$&",
      "$$",
      "$1",
      "",
      "  indented",
      "\ttab",
      "a -> b",
      ": ",
      "->",
    ],
  ),
  fc.string({ unit: "grapheme", maxLength: 40 }),
  anyText({ maxLength: 40 }).map((text) => text.toWellFormed()),
);
const words = fc.array(line, { maxLength: 6 }).map((lines) => lines.join("\n"));
const name = fc.stringMatching(/^[a-z][a-z0-9:.@ -]{0,8}[a-z0-9]$/).filter((text) => !text.includes(": "));
const entry = fc.record({ from: name, to: name, content: words }, { requiredKeys: ["from", "content"] });
const input = fc.record({
  system: words,
  instructionFile: words,
  context: fc.array(entry, { maxLength: 14 }),
  message: words,
  style: fc.constant("sections" as const),
});

const merged = ({ system = "", instructionFile = "" }: PromptInput) =>
  [system, instructionFile].filter(Boolean).join("\n\n");

function built(given: PromptInput): { prompt: string; sections: Sections } | undefined {
  const result = buildPrompt(given);
  return result.ok ? { prompt: result.value.prompt, sections: splitPrompt(result.value.prompt) } : undefined;
}

test("P6 whatever is in system text, context and message, a prompt splits into exactly that", () => {
  fc.assert(
    fc.property(input, (given) => {
      expect(built(given)?.sections).toEqual({
        system: merged(given),
        context: given.context.slice(-10),
        message: given.message,
      });
    }),
    runs,
  );
});

test("P2 under any budget a prompt keeps to it, keeps the newest entries whole and in order, and the message", () => {
  const long = fc.tuple(words, fc.integer({ min: 0, max: 500 })).map(([text, times]) => text.repeat(times));
  fc.assert(
    fc.property(input, long, fc.integer({ min: 0, max: 12_000 }), (given, instructionFile, maxBytes) => {
      const result = built({ ...given, instructionFile, maxBytes });
      if (!result) return;
      const { prompt, sections } = result;
      expect(utf8Length(prompt)).toBeLessThanOrEqual(maxBytes);
      expect(sections.message).toBe(given.message);
      const kept = sections.context.length;
      expect(sections.context).toEqual(kept === 0 ? [] : given.context.slice(-kept));
      expect(sections.system.startsWith(given.system)).toBe(true);
      expect(sections.system.isWellFormed()).toBe(true);
    }),
    runs,
  );
});

test("a prompt is refused only when even the shortened instruction file leaves no room for system text and message", () => {
  fc.assert(
    fc.property(input, fc.integer({ min: 0, max: 400 }), (given, maxBytes) => {
      const refused = buildPrompt({ ...given, maxBytes });
      if (refused.ok) return;
      const least = buildPrompt({ ...given, context: [] });
      expect(least.ok && utf8Length(least.value.prompt)).toBeGreaterThan(maxBytes);
      expect(refused.error).toMatchObject({ code: "PROMPT_TOO_LARGE", facts: { limit: maxBytes } });
    }),
    runs,
  );
});
