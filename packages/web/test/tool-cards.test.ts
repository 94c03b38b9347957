import { describe, expect, test } from "vitest";
import { findChromium } from "../../../test/kit/programs.ts";
import { FixtureSession } from "./fixture/session.ts";
import { sharedBrowser } from "./shared-browser.ts";
import { visit } from "./visit.ts";

describe.skipIf(!findChromium())("tool cards (need chromium)", () => {
  const browser = sharedBrowser();

  /** A page whose session has made one tool call. */
  async function toolCall(call: {
    kind: "edit" | "execute";
    title: string;
    input: unknown;
    result: unknown;
  }) {
    const visited = await visit(browser);
    const session = visited.server.add(new FixtureSession());
    const { kind, title, input, result } = call;
    session.begin("go");
    session.emit({ type: "tool_call_start", toolCallId: "c1", toolName: "tool", kind, title });
    session.emit({ type: "tool_call_end", toolCallId: "c1", input });
    session.emit({ type: "tool_result", toolCallId: "c1", toolName: "tool", status: "complete", result });
    await visited.page.goto(`${visited.server.url}/#/s/brave-otter`);
    const card = visited.page.getByRole("article", { name: `Tool: ${title}` });
    await card.waitFor();
    return { ...visited, session, card };
  }

  test("a command shows its arguments separately, its output as a terminal would leave it, and its exit code", async () => {
    await using visited = await toolCall({
      kind: "execute",
      title: "Commit",
      input: { command: ["git", "commit", "-m", "it's done"] },
      result: {
        text: "\u001b[2K10 %\r50 %\r100 %\r\n\u001b]0;title\u0007\u001b[32mok\u001b[0m\u0000\nExit code: 0",
        rawOutput: { exitCode: 0 },
      },
    });
    const { card } = visited;
    expect(await card.locator("pre").allInnerTexts()).toEqual([
      "$ git commit -m 'it'\\''s done'",
      "100 %\nok",
    ]);
    await card.getByText("exit 0", { exact: true }).waitFor();
  });

  test("a command too long for its card's head is shown in full below it; a shorter one appears once", async () => {
    const long = `echo ${"word ".repeat(60)}end`;
    for (const [command, shown] of [
      [long, [`$ ${long}`, "ok"]],
      ["echo end", ["ok"]],
    ] as const) {
      await using visited = await toolCall({
        kind: "execute",
        title: `run: ${command}`,
        input: { command },
        result: { text: "ok" },
      });
      expect(await visited.card.locator("pre").allInnerTexts()).toEqual(shown);
    }
  });

  test("H8 a call with countless fields and changes is rendered in part, and in full on request", async () => {
    const diffs = Array.from({ length: 200 }, (_, at) => ({ path: `f${at}`, oldText: "a", newText: "b" }));
    const keys = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`k${at}`, at]));
    const input = { ...keys, diffs };
    await using visited = await toolCall({ kind: "edit", title: "Edit", input, result: {} });
    const { card } = visited;
    expect([await card.locator("dt").count(), await card.locator("figure").count()]).toEqual([100, 20]);
    await card.getByRole("button", { name: "Show all 5,000 fields" }).click();
    await card.getByRole("button", { name: "Show all 200 changes" }).click();
    await expect.poll(() => card.locator("dt").count()).toBe(5_000);
    await expect.poll(() => card.locator("figure").count()).toBe(200);
  });

  test("a change shows its removed and added lines, with a few lines around them", async () => {
    const before = Array.from({ length: 30 }, (_, i) => `line ${i + 1}`);
    const after = before.with(14, "changed").toSpliced(16, 1);
    await using visited = await toolCall({
      kind: "edit",
      title: "edit: a.txt",
      input: { path: "a.txt" },
      result: { diffs: [{ path: "a.txt", oldText: before.join("\n"), newText: after.join("\n") }] },
    });
    const { card } = visited;
    const lines = await card.locator("code > span").evaluateAll((rows) => rows.map((row) => row.textContent));
    expect(lines).toEqual([
      "…11 unchanged lines",
      " line 12",
      " line 13",
      " line 14",
      "-line 15",
      "+changed",
      " line 16",
      "-line 17",
      " line 18",
      " line 19",
      " line 20",
      "…10 unchanged lines",
    ]);
    await card.getByText("+1").waitFor();
    await card.getByText("−2").waitFor();
  });

  test("a change is highlighted in its file's language, has a path relative to the working directory, and is counted in the card's head", async () => {
    const path = "/home/ada/engine/src/a.ts";
    await using visited = await toolCall({
      kind: "edit",
      title: "write: src/a.ts",
      input: { path: "src/a.ts" },
      result: { diffs: [{ path, oldText: "const a = 1;\n", newText: 'const a = "one";\n' }] },
    });
    const { page, session, card } = visited;
    await card.locator(".code-string-expression", { hasText: "one" }).waitFor();
    await card.getByRole("button", { name: /^write: src.a.ts\s*\+1 −1$/ }).click();
    expect(await card.locator("code").count()).toBe(0);
    session.emit({
      type: "tool_call_start",
      toolCallId: "c2",
      toolName: "t",
      kind: "edit",
      title: "two files",
    });
    const diffs = [path, "/etc/motd"].map((one) => ({ path: one, oldText: null, newText: "x\n" }));
    session.emit({
      type: "tool_result",
      toolCallId: "c2",
      toolName: "t",
      status: "complete",
      result: { diffs },
    });
    const heads = page.getByRole("article", { name: "Tool: two files" }).locator("figcaption");
    await heads.nth(1).waitFor();
    expect(await heads.allInnerTexts()).toEqual(["src/a.ts\n+1", "/etc/motd\n+1"]);
  });

  test("a sub-agent's steps appear inside the call that started it", async () => {
    await using visited = await toolCall({ kind: "execute", title: "helper", input: {}, result: "done" });
    const { session, card } = visited;
    const parentToolCallId = "c1";
    const inner = { toolCallId: "c2", toolName: "grep", kind: "search", title: "search: x" } as const;
    session.emit({ type: "tool_call_start", ...inner, parentToolCallId });
    session.emit({ type: "text_delta", itemId: "itm_inner", text: "found it", parentToolCallId });
    await card.getByText("search: x").waitFor();
    await card.getByText("found it").waitFor();
    session.end({ reason: "crashed", ok: false, partial: true });
    await card.getByText("Interrupted here").waitFor();
  });

  test("two concurrent sub-agents keep their steps apart, and a nested sub-agent appears inside its parent's card", async () => {
    await using visited = await toolCall({
      kind: "execute",
      title: "first agent",
      input: {},
      result: undefined,
    });
    const { page, session } = visited;
    const start = (toolCallId: string, title: string, parentToolCallId?: string) =>
      session.emit({
        type: "tool_call_start",
        toolCallId,
        toolName: "t",
        kind: "other",
        title,
        ...(parentToolCallId ? { parentToolCallId } : {}),
      });
    start("c2", "second agent");
    start("c1a", "a step of the first", "c1");
    start("c2a", "a step of the second", "c2");
    start("c1b", "an agent of the first", "c1");
    start("c1b1", "a step two levels down", "c1b");
    for (let i = 0; i < 20; i++) start(`c2b${i}`, `step ${i} of many`, "c2");
    const card = (id: string) => page.locator(`[data-tool-call-id="${id}"]`);
    await card("c1").locator(card("c1b")).locator(card("c1b1")).waitFor();
    expect(await card("c1").getByText("a step of the second").count()).toBe(0);
    await card("c2").getByText("step 19 of many").waitFor();
    expect(await card("c2").getByText("step 0 of many").count()).toBe(0);
    await card("c2").getByRole("button", { name: "Show 9 earlier steps" }).click();
    await card("c2").getByText("step 0 of many").waitFor();
  });

  test("a sub-agent's card folds with its steps, says so, and opens with its task", async () => {
    await using visited = await toolCall({
      kind: "execute",
      title: "helper",
      input: { prompt: "Look at all of it." },
      result: undefined,
    });
    const { session, card } = visited;
    const step = { toolCallId: "c2", toolName: "t", kind: "read", title: "a step" } as const;
    session.emit({ type: "tool_call_start", ...step, parentToolCallId: "c1" });
    await card.getByText("a step").waitFor();
    const head = card.getByRole("button", { name: "helper" });
    const shown = async () => ({
      expanded: await head.getAttribute("aria-expanded"),
      step: await card.getByText("a step").count(),
      task: await card.getByText("Look at all of it.").count(),
    });
    expect(await shown()).toEqual({ expanded: "true", step: 1, task: 0 });
    await head.click();
    expect(await shown()).toEqual({ expanded: "false", step: 0, task: 0 });
    await head.click();
    expect(await shown()).toEqual({ expanded: "true", step: 1, task: 1 });
  });

  test("steps of a sub-agent that started before the window are grouped until its card is loaded", async () => {
    await using visited = await visit(browser);
    const { page, server } = visited;
    const session = server.add(new FixtureSession());
    session.begin("go");
    const agent = { toolCallId: "c1", toolName: "t", kind: "other", title: "the agent" } as const;
    session.emit({ type: "tool_call_start", ...agent });
    for (let i = 0; i < 230; i++) {
      const step = { toolCallId: `s${i}`, toolName: "t", kind: "read", title: `step ${i}.` } as const;
      session.emit({ type: "tool_call_start", ...step, parentToolCallId: "c1" });
    }
    await page.goto(`${server.url}/#/s/brave-otter`);
    // So few rows that older items load at once, and the card adopts its steps.
    await page.locator('[data-tool-call-id="c1"]').getByText("step 229.").waitFor();
    await page.getByText("Sub-agent started earlier").waitFor({ state: "detached" });
    await page.getByText("230 steps", { exact: true }).waitFor();
  });

  test("an approval shows every field of its input", async () => {
    await using visited = await toolCall({ kind: "execute", title: "first", input: {}, result: "" });
    const { page, session } = visited;
    const input = { file_path: "/etc/hosts", old_string: "a", new_string: "b", replace_all: true };
    session.ask("c9", { toolKind: "edit", input });
    const card = page.getByRole("region", { name: "demo wants to change a file" });
    await card.waitFor();
    const text = await card.innerText();
    expect(text).toContain("/etc/hosts");
    expect(text).toContain('"replace_all": true');
    const lines = await card.locator("code > span").evaluateAll((rows) => rows.map((row) => row.textContent));
    expect(lines).toEqual(["-a", "+b"]);
  });
});
