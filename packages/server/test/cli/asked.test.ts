// Approvals are shown exactly: the terminal's rows are read back and compared with the request.
import type { Interaction } from "@drover/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyText } from "../../../../test/kit/any-text.ts";
import { until } from "../../../../test/kit/until.ts";
import { plain } from "../../src/cli/terminal/styled.ts";
import { askedInFull, askedRows } from "../../src/cli/view/asked.ts";
import { anApproval, aQuestion, done, turnOf } from "./fixtures.ts";
import { allHostileWords, hostileWords, strays } from "./hostile-words.ts";
import { readRows, rebuilt } from "./read-rows.ts";
import { pressUntil, suite } from "./suite.ts";

const t = suite();

/** The columns a row takes on a terminal. */
function columnsOf(row: string): number {
  let column = 0;
  for (const character of row) {
    const isWide = /\p{Emoji_Presentation}|[\u3000-\u9fff]/u.test(character);
    column = character === "\t" ? column + 8 - (column % 8) : column + (isWide ? 2 : 1);
  }
  return column;
}

const rowsOf = (interaction: Interaction, columns: number) => askedRows(interaction, columns).map(plain);
const hostile = fc.constantFrom(...Object.values(hostileWords));
const anyString = fc.oneof(hostile, anyText(), fc.constantFrom("a\n│ b", "  = 1", "\t", ""));
const anyKey = fc.oneof(
  fc.constantFrom("command", "title", "tool", "path", "input", "a b", "__proto__"),
  anyString,
);
const anyInput = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    anyString,
    fc.constantFrom(null, true, 5, -0.5),
    fc.array(tie("value"), { maxLength: 3 }),
    fc
      .array(fc.tuple(anyKey, tie("value")), { maxLength: 4 })
      .map((entries) => Object.fromEntries(entries) as unknown),
  ),
})).value;

describe("what is asked", () => {
  test("H4 is on the terminal in full and can be read back, for any input and width", () => {
    const isExact = fc.property(anyInput, fc.integer({ min: 40, max: 200 }), (input, columns) => {
      const rows = rowsOf(anApproval({ input }), columns);
      expect(strays(rows.join("\n"))).toEqual([]);
      expect(rebuilt(readRows(rows))).toEqual(JSON.parse(JSON.stringify(input)));
    });
    fc.assert(isExact, { numRuns: 500 });
  });

  test.for(Object.entries(hostileWords))("H4 with %s shows the exact command", ([, words]) => {
    const command = `echo one\n\tand ${words} ${"long ".repeat(60)}`;
    const rows = rowsOf(anApproval({ input: { command } }), 80);
    expect(readRows(rows).find(({ label }) => label === "command")?.value).toBe(command);
    expect(strays(askedInFull(anApproval({ input: { command } })))).toEqual([]);
    expect(askedInFull(anApproval({ input: { command } }))).toContain("PAYLOAD");
  });

  test("H4 has no row that the terminal would wrap to its left edge", () => {
    const command = `${"x".repeat(300)}${"日本語".repeat(40)}\t\t${"👨‍👩‍👧".repeat(30)}`;
    for (const row of rowsOf(anApproval({ input: { command } }), 60)) {
      expect(row).toMatch(/^ {2}\S* +[│=┆] /);
      expect(columnsOf(row)).toBeLessThanOrEqual(60);
    }
  });

  test("H4 contains all plans, edits, titles and changes", () => {
    const edits = Array.from({ length: 50 }, (_, index) => ({
      oldText: `old ${index}`,
      newText: `new ${index}`,
    }));
    const plan = Array.from({ length: 200 }, (_, index) => `${index}. step <!-- hidden -->`).join("\n");
    const diffs = [{ path: "b.txt", oldText: null, newText: "two\nlines" }];
    const asked = anApproval({ title: "T".repeat(500), input: { plan, edits, title: "other" }, diffs });
    const shown = readRows(rowsOf(asked, 80));
    const value = (label: string) => shown.find((field) => field.label === label)?.value;
    expect(value("title")).toBe(asked.title);
    expect(value("input.title")).toBe("other");
    expect(value("plan")).toBe(plan);
    const rows = rowsOf(asked, 80);
    expect(rows).toContainEqual(expect.stringMatching(/edits\[49\]\.diff +- old 49$/));
    expect(rows).toContainEqual(expect.stringMatching(/^ +\+ new 49$/));
    expect(rows).toContainEqual(expect.stringMatching(/diffs\[0\]\.diff +\+ two$/));
    expect(rows).toContainEqual(expect.stringMatching(/^ +\+ lines$/));
    const line = askedInFull(asked);
    for (const part of ["199. step <!-- hidden -->", "new 49", "b.txt", asked.title ?? ""])
      expect(line).toContain(part);
  });

  test("H4 is a single line without a terminal", () => {
    const line = askedInFull(anApproval({ input: { command: 'ls\n? x — answer with: "', timeout: 5 } }));
    expect(line).not.toContain("\n");
    expect(line).toBe('"ls\\n? x — answer with: \\"" · tool: run · title: Run npm test · timeout=5');
  });
});

describe("an approval on a terminal", () => {
  const command = `npm test ${allHostileWords}`;
  const asked = anApproval({ input: { command, cwd: "/srv" }, inputHash: "hash-of-what-is-shown" });

  /** The fields in a terminal's output. */
  const shownIn = (text: string) =>
    readRows(
      text
        .replaceAll("\r\u001b[K", "")
        .split("\n")
        .filter((row) => /^ {2}\S* +[│=┆] /.test(row)),
    );

  test("H4 asks again and says so when the agent changes the request", async () => {
    const cli = t.drover(["run", "demo", "x"], { terminal: true });
    await t.streaming();
    const changed = { ...asked, input: { command: "rm -rf precious" }, inputHash: "hash-of-the-change" };
    t.server.interactions = [changed];
    t.server.append(...turnOf("a"), { ...asked, type: "approval_required" });
    await cli.says("y allow once");
    t.server.append({ ...changed, type: "approval_required" });
    await cli.says("(the agent changed this request)");
    await cli.says("rm -rf precious");
    await pressUntil(cli, "y", () => t.server.asked.some(({ path }) => path.endsWith("/approve")));
    const { body } = await t.server.wasAsked("POST", /approve$/);
    expect(body).toMatchObject({ inputHash: "hash-of-the-change" });
    t.server.append(done());
    await cli.ended;
  });

  test("H4 approves exactly what it shows", async () => {
    const cli = t.drover(["run", "demo", "x"], { terminal: true });
    await t.streaming();
    t.server.interactions = [asked];
    t.server.append(...turnOf("a"), { ...asked, type: "approval_required" });
    await cli.says("y allow once");
    const shown = shownIn(cli.stderr());
    expect(shown.find(({ label }) => label === "command")?.value).toBe(command);
    expect(shown.find(({ label }) => label === "cwd")?.value).toBe("/srv");
    await pressUntil(cli, "y", () => t.server.asked.some(({ path }) => path.endsWith("/approve")));
    const { body } = await t.server.wasAsked("POST", /approve$/);
    expect(body).toEqual({ toolCallId: asked.id, scope: "once", inputHash: "hash-of-what-is-shown" });
    t.server.append(done());
    await cli.ended;
  });

  test("H4 stays the last thing on the screen until it is decided", async () => {
    const cli = t.drover(["run", "demo", "x"], { terminal: true });
    await t.streaming();
    t.server.interactions = [asked];
    t.server.append(...turnOf("before"), { ...asked, type: "approval_required" });
    await cli.says("y allow once");
    const spoofs = ["\n? brave-otter asks for approval\n", "  command │ ls\n"];
    t.server.append(
      ...spoofs.map((text) => ({ type: "text_delta", turnId: asked.turnId, itemId: "itm_1", text })),
      { type: "notice", code: "X", message: "  y allow once", facts: {} },
    );
    // It reconnects to a restarted server with the number of the last event it has handled.
    const last = String(t.server.session.lastSeq);
    await until(async () => {
      await t.server.kill();
      await t.server.listen();
      await t.streaming();
      return t.server.asked.some(({ headers }) => headers["last-event-id"] === last);
    });
    expect(cli.stdout()).toBe("before\n");
    expect(cli.stderr()).not.toContain("· y allow once");
    await pressUntil(cli, "y", () => t.server.asked.some(({ path }) => path.endsWith("/approve")));
    await cli.says("  command │ ls");
    t.server.append(done());
    expect(await cli.ended).toBe(0);
  });

  test("H4 is shown in full by permit, show and wait as well", async () => {
    t.server.interactions = [asked, aQuestion()];
    t.server.session = { ...t.server.session, state: "waiting_for_input", openInteractions: 2 };
    for (const args of [["permit"], ["show", "x"], ["wait", "x", "--no-wait"]]) {
      const cli = t.drover(args, { terminal: true });
      await cli.ended;
      const shown = shownIn(cli.stdout() + cli.stderr());
      expect(shown.find(({ label }) => label === "command")?.value, args[0]).toBe(command);
      expect(shown.filter(({ label }) => label === "option").map(({ value }) => value)).toEqual([
        "Red",
        "Dark blue",
      ]);
    }
  });

  test("H4 shows all options of a question, including those without a digit", async () => {
    const options = Array.from({ length: 12 }, (_, index) => ({
      label: `choice ${index} ${allHostileWords}`,
    }));
    const [first] = aQuestion().questions ?? [];
    t.server.interactions = [aQuestion({ questions: [{ ...first!, options }] })];
    const cli = t.drover(["attach", "x"], { terminal: true });
    await cli.says("a number to choose");
    const shown = shownIn(cli.stderr()).filter(({ label }) => /^(\d|t)$/.test(label));
    expect(shown.map(({ value }) => value)).toEqual(options.map(({ label }) => label));
    await pressUntil(cli, "d", () => cli.stderr().includes("drover answer"));
    cli.type("\u0015\u0004");
    await cli.ended;
  });
});
