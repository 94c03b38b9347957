import { describe, expect, test } from "vitest";
import { findChromium } from "../../../test/kit/programs.ts";
import { seriousFindings } from "./axe.ts";
import { FixtureSession } from "./fixture/session.ts";
import { sharedBrowser } from "./shared-browser.ts";
import { visit } from "./visit.ts";

const hostile = [
  "<script>alert(1)</script>",
  "<img src=http://evil.test/a.png onerror=alert(1)>",
  "![tracked](http://evil.test/b.png)",
  "![][ref]\n\n[ref]: http://evil.test/c.png",
  "[click](javascript:alert(1)) [data](data:text/html,<script>alert(1)</script>)",
  "<iframe src='http://evil.test/d'></iframe><style>@import 'http://evil.test/e';</style>",
  "[your bank](http://evil.test/f)",
  "\u001b]8;;http://evil.test/g\u0007link\u001b]8;;\u0007 \u001b[31mred\u001b[0m \u001bPdcs\u001b\\after",
].join("\n\n");

/** What a program printed, and what remains of it. */
const terminalCorpus: readonly (readonly [written: string, shown: string])[] = [
  ["\u001b[31mred\u001b[0m plain", "red plain"],
  ["\u001b[1;38;5;196mbold\u001b[22;39m \u001b[48;2;0;255;0mground\u001b[m", "bold ground"],
  ["\u001b[38;5mcut short \u001b[999;77mnonsense\u001b[0m", "cut short nonsense"],
  ["\u001b]8;;http://evil.test/link\u0007a link\u001b]8;;\u0007", "a link"],
  ["\u001b]52;c;ZXZpbA==\u0007the clipboard", "the clipboard"],
  ["\u001b]0;\u001b[31mtitle\u0007not the title", "not the title"],
  ["\u001bPq#0;2;0;0;0~\u001b\\a picture", "a picture"],
  ["\u001b[2J\u001b[Hcleared \u001b[5A\u001b[?1049hmoved", "cleared moved"],
  ["10 %\r\u001b[32m50 %\r100 %\u001b[0m", "100 %"],
  ["<img src=http://evil.test/x onerror=alert(1)>", "<img src=http://evil.test/x onerror=alert(1)>"],
  ["\u001b[31m<script>alert(1)</script>\u001b[0m", "<script>alert(1)</script>"],
  ["\u009b31mold style\u009b0m", "old style"],
  ["bell\u0007 back\u0008space nul\u0000", "bell backspace nul"],
];

describe.skipIf(!findChromium())("agent output on the page (needs chromium)", () => {
  const browser = sharedBrowser();

  test("nothing an agent writes can run, load, or hide where a link leads", async () => {
    await using visited = await visit(browser);
    const { page, server, complaints } = visited;
    let dialogs = 0;
    page.on("dialog", (dialog) => {
      dialogs++;
      void dialog.dismiss();
    });
    const session = server.add(new FixtureSession({ title: hostile }));
    session.begin(hostile);
    session.emit({ type: "thinking_delta", itemId: "itm_t", text: hostile });
    session.say(hostile);
    session.emit({
      type: "tool_call_start",
      toolCallId: "c1",
      toolName: "x",
      kind: "execute",
      title: hostile,
    });
    session.emit({ type: "tool_result", toolCallId: "c1", toolName: "x", status: "error", result: hostile });
    session.ask("c2", {
      toolKind: "execute",
      title: hostile,
      input: { command: "ls \u202e\u001b[8m; rm -rf ~" },
    });
    await page.goto(`${server.url}/#/s/brave-otter`);
    await page.getByText("ls ⟨U+202E⟩⟨U+001B⟩[8m; rm -rf ~").waitFor();
    const markdown = page.locator(".markdown");
    expect(await markdown.innerText()).toContain("<script>alert(1)</script>");
    expect(await markdown.innerText()).toContain("your bank (evil.test)");
    expect(await markdown.innerText()).toContain("link red after");
    expect(await page.locator("img, iframe, script:not([src])").count()).toBe(0);
    const targets = await page
      .locator("main a")
      .evaluateAll((all) => all.map((a) => (a as HTMLAnchorElement).protocol));
    expect(new Set(targets)).toEqual(new Set(["http:"]));
    expect(dialogs).toBe(0);
    expect(complaints).toEqual([]);
  });

  test("no name, command or plan can be made to look like something else", async () => {
    await using visited = await visit(browser);
    const { page, server } = visited;
    const session = server.add(new FixtureSession());
    session.begin("rename");
    const call = { toolCallId: "c1", toolName: "run", kind: "execute", title: "run: a\u202egnp.sh" } as const;
    session.emit({ type: "tool_call_start", ...call });
    session.emit({ type: "tool_call_end", toolCallId: "c1", input: { command: "sh\u00a0a\u202egnp.sh" } });
    session.emit({ type: "tool_result", ...call, status: "complete", result: { text: "", exitCode: 0 } });
    session.ask("c2", { toolKind: "plan", input: { plan: "Keep\u200b it" } });
    await page.goto(`${server.url}/#/s/brave-otter`);
    await page.getByRole("region", { name: "Plan" }).getByText("Keep⟨U+200B⟩ it").waitFor();
    const card = await page.getByRole("article", { name: "Tool: run: a⟨U+202E⟩gnp.sh" }).innerText();
    expect(card).toContain("sh⟨U+00A0⟩a⟨U+202E⟩gnp.sh");
    session.ask("c3", { toolName: "a\u202eb", input: {} });
    await page.getByText("demo wants to use a⟨U+202E⟩b").waitFor();
  });

  test("content nested too deeply for the stack is shown as plain text, and the rest as usual", async () => {
    await using visited = await visit(browser);
    const { page, server } = visited;
    const session = server.add(new FixtureSession());
    session.begin("quote");
    session.say(`${">".repeat(3_000)} deep`);
    session.emit({ type: "thinking_delta", itemId: "itm_t", text: "well" });
    session.say(`${"- ".repeat(3_000)}down`);
    session.emit({ type: "thinking_delta", itemId: "itm_u", text: "then" });
    session.say("**still** here");
    await page.goto(`${server.url}/#/s/brave-otter`);
    await page.getByText("still", { exact: true }).waitFor();
    const log = await page.getByRole("log").innerText();
    expect(log).toContain(`${">".repeat(3_000)} deep`);
    expect(log).toContain(`${"- ".repeat(3_000)}down`);
    session.ask("c1", { toolKind: "plan", input: { plan: `${">".repeat(3_000)} plan` } });
    await page.getByRole("button", { name: "Approve", exact: true }).click();
    await expect.poll(() => session.resolved.length).toBe(1);
  });

  test("terminal output keeps its colours and no other escape sequence", async () => {
    await using visited = await visit(browser);
    const { page, server, complaints } = visited;
    const session = server.add(new FixtureSession());
    session.begin("go");
    const call = { toolCallId: "c1", toolName: "run", kind: "execute", title: "make" } as const;
    session.emit({ type: "tool_call_start", ...call });
    const text = terminalCorpus.map(([written]) => written).join("\n");
    session.emit({ type: "tool_result", ...call, status: "complete", result: { text, exitCode: 0 } });
    await page.goto(`${server.url}/#/s/brave-otter`);
    const output = page.locator("[data-tool-call-id=c1] pre");
    await output.waitFor();
    expect((await output.innerText()).split("\n")).toEqual(terminalCorpus.map(([, shown]) => shown));
    // Text in spans with our own classes: printed output contributes no address, style or other element.
    const marks = await output
      .locator("*")
      .evaluateAll((all) =>
        all.map(({ tagName, attributes }) => [tagName, [...attributes].map(({ name }) => name).join()]),
      );
    expect(new Set(marks.map(String))).toEqual(new Set(["SPAN,class"]));
    const red = output.getByText("red", { exact: true });
    const plain = output.getByText("plain", { exact: true }).or(output);
    const colour = (element: typeof red) => element.first().evaluate((node) => getComputedStyle(node).color);
    expect(await colour(red)).not.toBe(await colour(plain));
    expect(complaints).toEqual([]);
  });

  test("the page has no serious accessibility findings", async () => {
    await using visited = await visit(browser);
    const { page, server } = visited;
    const session = server.add(new FixtureSession({ title: "A session" }));
    session.begin("look at it");
    session.emit({ type: "thinking_delta", itemId: "itm_t", text: "well" });
    session.say("# Title\n\nSome `code`, a [link](http://example.test) and\n\n```ts\nconst a = 1;\n```\n");
    session.emit({
      type: "task_update",
      action: "snapshot",
      tasks: [{ id: "1", title: "one", status: "in_progress" }],
    });
    session.emit({
      type: "tool_call_start",
      toolCallId: "c1",
      toolName: "x",
      kind: "edit",
      title: "edit: a.ts",
    });
    const result = [{ type: "diff", path: "a.ts", oldText: "a\n", newText: "b\n" }];
    session.emit({ type: "tool_result", toolCallId: "c1", toolName: "x", status: "complete", result });
    session.emit({ type: "error", code: "NETWORK", message: "no network", retry: "same" });
    session.ask("c2", { toolKind: "execute", input: { command: "make" } });
    const message = { messageId: "m1", content: "next", by: "cli", at: new Date().toISOString() };
    session.emit({ type: "queue_update", paused: true, messages: [message] });
    await page.goto(`${server.url}/#/s/brave-otter`);
    await page.getByText("Queue paused").waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByRole("button", { name: "New session" }).click();
    await page.getByText("Permission mode").waitFor();
    expect(await seriousFindings(page)).toEqual([]);
  });
});
