import { exactInput } from "@drover/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { exactLines, exactName } from "../src/format/exact-lines.ts";
import { exactLineDiff } from "../src/format/line-diff.ts";
import { joinDiffs } from "../src/format/shown-change.ts";
import {
  commandLine,
  type Fields,
  type FileChange,
  readInput,
  type ToolInput,
} from "../src/format/tool-input.ts";
import { planLines } from "../src/interaction/plan-lines.ts";

const keys = [
  ...["command", "args", "plan", "path", "file_path", "filePath", "content", "text", "oldText", "newText"],
  ...["old_string", "new_string", "oldString", "newString", "edits", "diffs", "cwd", "description", "type"],
  ...["__proto__", "constructor", "toString", ""],
];
const words = fc.constantFrom(
  "",
  " ",
  "a",
  "a b",
  "it's",
  "a\n",
  "\n",
  "\u202e",
  "a\u00a0b",
  "''",
  "'\\''",
  "é",
);
const leaf = fc.oneof(words, fc.string(), fc.integer(), fc.boolean(), fc.constant(null));

/** Objects as JSON can have them: `__proto__` is an ordinary key. */
const record = (value: fc.Arbitrary<unknown>) =>
  fc
    .array(fc.tuple(fc.constantFrom(...keys), value), { maxLength: 6 })
    .map((entries) => Object.fromEntries(entries) as Fields);

const { value: anything } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    { weight: 4, arbitrary: leaf },
    { weight: 2, arbitrary: fc.array(tie("value"), { maxLength: 4 }) },
    { weight: 3, arbitrary: record(tie("value")) },
  ),
}));

/** Mostly what agents send, with an occasional surprise. */
const change = fc
  .record(
    { path: words, file_path: words, oldText: fc.oneof(words, fc.constant(null)), newText: words },
    { requiredKeys: [] },
  )
  .chain((own) => record(leaf).map((extra): Fields => ({ ...own, ...extra })));
const likely = fc.record(
  {
    command: fc.oneof(words, fc.array(words), fc.array(leaf)),
    plan: leaf,
    path: words,
    content: leaf,
    edits: fc.array(fc.oneof(change, leaf), { maxLength: 3 }),
    diffs: fc.array(fc.oneof(change, leaf), { maxLength: 3 }),
    cwd: leaf,
  },
  { requiredKeys: [] },
);
const inputs = fc.oneof(anything, record(anything), likely, change);

/** Undoes the quoting of an argument list. */
function argumentsOf(line: string): string[] {
  const words = line.match(/(?:'[^']*'|\\'|[^' ])+/g) ?? [];
  return words.map((word) => word.replace(/'([^']*)'|\\(')/g, (_, text, quote) => text ?? quote));
}

/** Rebuilds the input from nothing but what a card shows of it. */
function rebuild({ command, plan, changes, rest }: ToolInput): unknown {
  if (rest !== undefined && (typeof rest !== "object" || rest === null || Array.isArray(rest))) return rest;
  const input: Record<string, unknown> = {};
  const put = (target: object, key: string, value: unknown) => {
    expect(Object.hasOwn(target, key), `${key} is shown once`).toBe(false);
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  };
  for (const [key, value] of Object.entries(rest ?? {})) put(input, key, value);
  if (command !== undefined) {
    put(input, "command", typeof command === "string" ? command : argumentsOf(commandLine(command)));
  }
  if (plan !== undefined) put(input, "plan", plan);
  for (const { path, before, after, source } of changes) {
    if (!source) throw new Error("a change of an input says where it stands there");
    const { list, keys, extra } = source;
    const element = list ? {} : input;
    for (const [key, value] of Object.entries(extra)) put(element, key, value);
    if (keys.before !== undefined) put(element, keys.before, before);
    put(element, keys.after, after);
    if (list?.key === "edits" && list.at > 0) expect(input[keys.path]).toBe(path);
    else put(list?.key === "edits" ? input : element, keys.path, path);
    if (!list) continue;
    if (list.at === 0) put(input, list.key, []);
    const elements = input[list.key] as unknown[];
    expect(list.at).toBe(elements.length);
    elements.push(element);
  }
  return input;
}

describe("the parts of an input", () => {
  test("H4 the parts that a card shows add up to the whole input, whatever it is", () => {
    fc.assert(
      fc.property(inputs, (input) => {
        expect(sorted(rebuild(readInput(input)))).toBe(sorted(input));
      }),
      { numRuns: 3_000 },
    );
  });

  test("H4 a diff that an agent shows next to its input is merged into a change of the input or shown separately", () => {
    fc.assert(
      fc.property(likely, fc.array(fc.oneof(change, leaf), { maxLength: 4 }), (input, diffs) => {
        const { changes } = readInput(input);
        const joined = joinDiffs(changes, diffs);
        const joinedPaths = joined.changes.flatMap((one, at) => (one === changes[at] ? [] : [one]));
        expect(joinedPaths.length + joined.others.length).toBe(diffs.length);
        // What the input says about a change stays; a diff only supplies the text before it.
        for (const [at, { path, after, before }] of joined.changes.entries()) {
          const own = changes[at] as FileChange;
          expect([path, after]).toEqual([own.path, own.after]);
          if (own.before !== undefined) expect(before).toBe(own.before);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  test.each([
    ["an element that is not an object", { diffs: [{ path: "a", newText: "b" }, "rm -rf ~"] }],
    ["an element with a wrong type", { diffs: [{ path: "a", oldText: 5, newText: "b" }] }],
    ["two keys that may mean the same file", { path: "a", file_path: "b", content: "c" }],
    ["two keys that may mean the new text", { path: "a", content: "b", text: "c" }],
    ["an argument that is not a string", { command: ["rm", 5] }],
    ["an empty list of arguments", { command: [] }],
    ["an empty file", { path: "a", content: "" }],
    ["a list", ["a"]],
    ["a string", "rm -rf ~"],
    ["the value null", null],
    ["no keys", {}],
  ])("H4 an input with %s stays raw", (_, input) => {
    expect(readInput(input)).toEqual({ changes: [], rest: input });
  });

  test("H4 extra keys of a change are kept with it", () => {
    const diff = { path: "a", oldText: null, newText: "b", mode: "100755" };
    const [read] = readInput({ diffs: [diff] }).changes;
    expect(read).toMatchObject({
      path: "a",
      before: null,
      after: "b",
      source: { extra: { mode: "100755" } },
    });
  });
});

describe("exact notation", () => {
  /** Recovers the text from its notation. */
  const decode = (shown: string) =>
    shown.replace(/⟨U\+([0-9A-F]{4,6})⟩/g, (_, code) => String.fromCodePoint(Number.parseInt(code, 16)));
  const texts = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.array(words).map((all) => all.join("")),
  );

  test("H4 lines and names in exact notation can be read back, with no blank at the end of a line", () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(decode(exactLines(text))).toBe(text);
        expect(decode(exactName(text))).toBe(text);
        expect(exactLines(text)).not.toMatch(/[ \t]$/m);
        expect(exactName(text)).not.toMatch(/[\t\n]/);
        expect(exactInput(text).length).toBeLessThanOrEqual(exactLines(text).length);
      }),
      { numRuns: 3_000 },
    );
  });

  test("H4 a change of only the last line break is a changed line", () => {
    expect(exactLineDiff("a\nb", "a\nb\n")).toEqual([
      { sign: " ", text: "a" },
      { sign: "-", text: "b" },
      { sign: "+", text: "b" },
    ]);
  });

  test("H4 both sides of a change can be rebuilt from its lines", () => {
    const text = fc.array(fc.constantFrom("", "a", "b", "a ")).map((lines) => lines.join("\n"));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const lines = exactLineDiff(before, after);
        const side = (sign: string) =>
          lines.filter((line) => line.sign === sign || line.sign === " ").map(({ text }) => text);
        const linesOf = (all: string) => (all === "" ? [] : all.replace(/\n$/, "").split("\n"));
        expect([side("-"), side("+")]).toEqual([linesOf(before), linesOf(after)]);
      }),
    );
  });

  test("H4 the lines of a plan add up to the plan", () => {
    const pieces = fc.constantFrom("```", "~~~", "# ", "\n", "<!-- a -->", "[a]: http://b", " ", "x");
    fc.assert(
      fc.property(fc.array(pieces), (parts) => {
        const plan = parts.join("");
        expect(
          planLines(plan)
            .map(({ text }) => text)
            .join("\n"),
        ).toBe(plan);
      }),
    );
  });
});

/** JSON with sorted keys, so that objects compare equal in any key order. */
function sorted(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sorted).join()}]`;
  if (typeof value !== "object" || value === null) return String(JSON.stringify(value));
  const entries = Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}:${sorted(one)}`);
  return `{${entries.toSorted().join()}}`;
}
