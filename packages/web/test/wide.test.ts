// Extreme content: endless lines, huge tables, a search term with a million matches.
import type { Locator, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { findChromium } from "../../../test/kit/programs.ts";
import { until } from "../../../test/kit/until.ts";
import { seriousFindings } from "./axe.ts";
import { FixtureSession } from "./fixture/session.ts";
import { sharedBrowser } from "./shared-browser.ts";
import { visit } from "./visit.ts";

const endless = "word ".repeat(200);
const unbreakable = "█".repeat(400);

/** How far a box overflows its container, in pixels. */
async function excess(inner: Locator, outer: Locator): Promise<number> {
  const [a, b] = await Promise.all([inner.boundingBox(), outer.boundingBox()]);
  if (!a || !b) throw new Error("It is not on the page.");
  return Math.max(0, Math.round(a.x + a.width - (b.x + b.width)));
}

const sizes = [
  { width: 1200, height: 800 },
  { width: 390, height: 844 },
];

describe.skipIf(!findChromium())("content of any width (needs chromium)", () => {
  const browser = sharedBrowser();

  async function open(act: (session: FixtureSession) => void) {
    const visited = await visit(browser);
    const session = visited.server.add(new FixtureSession());
    session.begin("go");
    act(session);
    await visited.page.goto(`${visited.server.url}/#/s/brave-otter`);
    return { ...visited, session };
  }

  /** Resizes the page and waits until it is rendered. */
  async function resize(page: Page, size: (typeof sizes)[number]): Promise<void> {
    await page.setViewportSize(size);
    await expect.poll(() => page.evaluate(() => innerWidth)).toBe(size.width);
  }

  const scrolls = (box: Locator) => box.evaluate((one) => one.scrollWidth > one.clientWidth);

  test("a change with an endless line stays inside its card, next to the time left to answer", async () => {
    const input = { path: "a.ts", oldText: "short", newText: endless };
    await using visited = await open((session) => session.ask("c1", { toolKind: "edit", input }));
    const { page } = visited;
    const card = page.getByRole("region", { name: "demo wants to change a file" });
    for (const size of sizes) {
      await resize(page, size);
      await card.waitFor();
      await expect.poll(() => excess(card.locator("figure"), card)).toBe(0);
      await expect.poll(() => excess(card.getByText(/left$/), card)).toBe(0);
      await expect.poll(() => scrolls(card.locator("pre"))).toBe(false);
    }
  });

  test("output without a break opportunity stays inside its box, and a wide table scrolls within its column", async () => {
    const row = (of: string) => `|${` ${of} |`.repeat(20)}`;
    await using visited = await open((session) => {
      session.emit({
        type: "tool_call_start",
        toolCallId: "c1",
        toolName: "bash",
        kind: "execute",
        title: "bar",
      });
      session.emit({ type: "tool_call_end", toolCallId: "c1", input: { command: "bar" } });
      const result = { text: unbreakable };
      session.emit({ type: "tool_result", toolCallId: "c1", toolName: "bash", status: "complete", result });
      session.say([row("column"), row("---"), row("a value of three words")].join("\n"));
    });
    const { page } = visited;
    const tool = page.getByRole("article", { name: "Tool: bar" });
    const table = page.locator(".table-box");
    for (const size of sizes) {
      await resize(page, size);
      await table.waitFor();
      await expect.poll(() => excess(tool.locator("pre"), tool)).toBe(0);
      await expect.poll(() => excess(table, tool)).toBe(0);
      await expect.poll(() => scrolls(table)).toBe(true);
      await expect
        .poll(() => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth))
        .toBe(true);
    }
  });

  test("wide code and tables, task lists and dim output have no serious accessibility findings", async () => {
    await using visited = await visit(browser);
    const { page, server } = visited;
    const session = server.add(new FixtureSession());
    session.begin("go");
    const row = (of: string) => `|${` ${of} |`.repeat(30)}`;
    session.say(
      [
        `${row("name")}\n${row("---")}\n${row("value")}`,
        `\`\`\`\n${"wide ".repeat(80)}\n\`\`\``,
        "- [ ] open\n- [x] done",
      ].join("\n\n"),
    );
    const call = { toolCallId: "c1", toolName: "t", kind: "execute", title: "npm test" } as const;
    session.emit({ type: "tool_call_start", ...call });
    const text = `\u001b[2mdim\u001b[0m\n${"line\n".repeat(60)}`;
    session.emit({
      type: "tool_result",
      toolCallId: "c1",
      toolName: "t",
      status: "complete",
      result: { text },
    });
    session.ask("c2", {
      toolKind: "other",
      toolName: "t",
      input: { list: Array.from({ length: 60 }, String) },
    });
    session.end();
    await page.goto(`${server.url}/#/s/brave-otter`);
    await page.getByText("dim").waitFor();
    expect(await seriousFindings(page)).toEqual([]);
  });

  test("each list starts on the side its script starts on", async () => {
    await using visited = await open((session) => session.say("- أولا\n- ثانيا\n\nThen:\n\n1. one\n2. two"));
    const direction = (list: Locator) => list.evaluate((one) => getComputedStyle(one).direction);
    const lists = visited.page.locator(".markdown").locator("ul, ol");
    await lists.nth(1).waitFor();
    expect([await direction(lists.nth(0)), await direction(lists.nth(1))]).toEqual(["rtl", "ltr"]);
  });

  test("a search with far too many matches leaves the page responsive", async () => {
    await using visited = await open((session) => {
      session.emit({
        type: "tool_call_start",
        toolCallId: "c1",
        toolName: "bash",
        kind: "execute",
        title: "log",
      });
      session.emit({ type: "tool_call_end", toolCallId: "c1", input: { command: "log" } });
      const result = { text: "again and again\n".repeat(100_000) };
      session.emit({ type: "tool_result", toolCallId: "c1", toolName: "bash", status: "complete", result });
    });
    const { page, complaints } = visited;
    await page.getByRole("button", { name: "Show all 1,599,999 characters" }).click();
    await page.keyboard.press("Control+f");
    await page.getByRole("textbox", { name: "Find in transcript" }).fill("again");
    await page.getByText("1 of 1", { exact: true }).waitFor();
    await expect.poll(() => page.evaluate(() => CSS.highlights.get("found")?.size)).toBe(5_000);
    expect(complaints).toEqual([]);
  });

  test("a title that repeats the command, truncated or not, is not shown twice", async () => {
    await using visited = await open((session) => {
      session.ask("c1", {
        toolKind: "execute",
        title: `run: ${endless.slice(0, 80)}…`,
        input: { command: endless },
      });
      session.ask("c2", {
        toolKind: "execute",
        title: "Tidy up the build",
        input: { command: "rm -rf build" },
      });
    });
    const { page } = visited;
    await page.getByText("Tidy up the build").waitFor();
    expect(await titlesOf(page)).toEqual(["“Tidy up the build”"]);
  });

  test("questions taller than the screen open at their beginning and do not scroll away from the reader", async () => {
    await using visited = await visit(browser);
    const { page, server } = visited;
    await page.setViewportSize({ width: 390, height: 700 });
    const session = server.add(new FixtureSession());
    session.begin("go");
    session.say("A few words before it.\n\n".repeat(30));
    await page.goto(`${server.url}/#/s/brave-otter`);
    await page.getByText("A few words before it.").last().waitFor();
    const options = ["one", "two", "three", "four"].map((label) => ({ label }));
    session.question(
      ["q1", "q2", "q3"].map((id) => ({ id, question: `Which ${id}?`, options, multiSelect: false })),
    );
    const log = page.getByRole("log");
    const within = (text: string) =>
      page.getByText(text, { exact: true }).evaluate((element) => {
        const box = element.closest("[role=log]")?.getBoundingClientRect();
        const own = element.getBoundingClientRect();
        return box !== undefined && own.top >= box.top && own.bottom <= box.bottom;
      });
    await expect.poll(() => within("Demo has a question")).toBe(true);
    await log.evaluate((box) => box.scrollTo({ top: box.scrollHeight }));
    await page.getByRole("group", { name: "Which q3?" }).getByLabel("four").check();
    await expect.poll(() => within("Answer")).toBe(true);
    expect(await within("Demo has a question")).toBe(false);
    // The same holds for one that is already open when the page loads.
    await page.goto(`${server.url}/#/inbox`);
    await page.goBack();
    await expect.poll(() => within("Demo has a question")).toBe(true);
    expect(await within("Answer")).toBe(false);
  });

  test("number keys choose an option of the next unanswered question, and Enter moves on", async () => {
    const options = [{ label: "one" }, { label: "two" }];
    await using visited = await open((session) =>
      session.question([
        { id: "q1", question: "First?", options, multiSelect: false },
        { id: "q2", question: "Several?", options, multiSelect: true },
        { id: "q3", question: "Last?", options, multiSelect: false },
      ]),
    );
    const { page, server } = visited;
    const card = page.getByRole("region", { name: "demo has a question" });
    await card.focus();
    const hinted = () =>
      card
        .locator("fieldset")
        .filter({ has: page.locator("kbd") })
        .locator("legend");
    await expect.poll(() => hinted().allInnerTexts()).toEqual(["First?"]);
    for (const key of ["2", "1", "2", "Enter", "1", "Enter"]) await page.keyboard.press(key);
    const answer = await until(() => server.frames.find(({ type }) => type === "session:answer"));
    expect(answer["answers"]).toEqual({ q1: "two", q2: ["one", "two"], q3: "one" });
  });
});

/** The text between a card's heading and its input. */
const titlesOf = (page: Page) => page.locator("[data-description]").allInnerTexts();
