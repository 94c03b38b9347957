import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { anyText } from "../../../../test/kit/any-text.ts";
import { usually } from "../../../../test/kit/soak.ts";
import { buildPrompt, type PromptInput, type Sections, splitPrompt, utf8Length } from "../../src/index.ts";

const runs = { numRuns: usually(1_000, { inSoak: 10_000 }) };

/** Takes a few seconds on an idle machine and many more on a busy one. */
vi.setConfig({ testTimeout: 180_000 });

/** Lines that look like prompt markers, mixed with lines that do not. */
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

function built(parts: PromptInput): { prompt: string; sections: Sections } | undefined {
  const result = buildPrompt(parts);
  return result.ok ? { prompt: result.value.prompt, sections: splitPrompt(result.value.prompt) } : undefined;
}

test("P6 a prompt splits into exactly its system text, context and message, whatever they contain", () => {
  fc.assert(
    fc.property(input, (parts) => {
      expect(built(parts)?.sections).toEqual({
        system: merged(parts),
        context: parts.context.slice(-10),
        message: parts.message,
      });
    }),
    runs,
  );
});

test("P2 a prompt stays within any budget and keeps its message and the newest entries, whole and in order", () => {
  const long = fc.tuple(words, fc.integer({ min: 0, max: 500 })).map(([text, times]) => text.repeat(times));
  fc.assert(
    fc.property(input, long, fc.integer({ min: 0, max: 12_000 }), (parts, instructionFile, maxBytes) => {
      const result = built({ ...parts, instructionFile, maxBytes });
      if (!result) return;
      const { prompt, sections } = result;
      expect(utf8Length(prompt)).toBeLessThanOrEqual(maxBytes);
      expect(sections.message).toBe(parts.message);
      const kept = sections.context.length;
      expect(sections.context).toEqual(kept === 0 ? [] : parts.context.slice(-kept));
      expect(sections.system.startsWith(parts.system)).toBe(true);
      expect(sections.system.isWellFormed()).toBe(true);
    }),
    runs,
  );
});

test("a prompt is rejected only if system text and message do not fit even beside the shortened instruction file", () => {
  fc.assert(
    fc.property(input, fc.integer({ min: 0, max: 400 }), (parts, maxBytes) => {
      const refused = buildPrompt({ ...parts, maxBytes });
      if (refused.ok) return;
      const least = buildPrompt({ ...parts, context: [] });
      expect(least.ok && utf8Length(least.value.prompt)).toBeGreaterThan(maxBytes);
      expect(refused.error).toMatchObject({ code: "PROMPT_TOO_LARGE", facts: { limit: maxBytes } });
    }),
    runs,
  );
});
