import { describe, expect, test } from "vitest";
import { findChromium } from "../../../test/kit/programs.ts";
import { FixtureSession } from "./fixture/session.ts";
import { sharedBrowser } from "./shared-browser.ts";
import { button, type Visit, visit } from "./visit.ts";

describe.skipIf(!findChromium())("after a turn on the page (needs chromium)", () => {
  const browser = sharedBrowser();

  async function running(prompt = "do something"): Promise<Visit & { session: FixtureSession }> {
    const visited = await visit(browser);
    const session = visited.server.add(new FixtureSession());
    session.begin(prompt);
    await visited.page.goto(`${visited.server.url}/#/s/brave-otter`);
    await visited.page.getByText(prompt.slice(0, 12)).first().waitFor();
    return { ...visited, session };
  }

  const sent = ({ server }: Visit) =>
    server.frames.filter(({ type }) => type === "session:send").map(({ content }) => content);
  const queueOf = (session: FixtureSession, contents: readonly string[], paused = false) => {
    const at = new Date().toISOString();
    const messages = contents.map((content) => ({ messageId: `msg_${content}`, content, by: "cli", at }));
    session.emit({ type: "queue_update", paused, messages });
  };
  const queued = ({ state }: FixtureSession) => state.queue.map(({ content }) => content);

  test("a turn that hit a usage limit says when it resets, and Retry sends its prompt again", async () => {
    await using visited = await running();
    const { page, session } = visited;
    const until = new Date(2026, 1, 18, 14, 30).toISOString();
    session.end({
      ...{ reason: "usage_limit", ok: false },
      error: { code: "USAGE_LIMIT", message: "No tokens left", retry: "other-account", until },
    });
    await page.getByText(/^Stopped: usage limit reached, resets at .*30.*: No tokens left$/).waitFor();
    await button(page, "Retry").click();
    await expect.poll(() => sent(visited)).toEqual(["do something"]);
    await button(page, "Retry").waitFor({ state: "detached" });
  });

  test("a message after an interrupt runs before the paused queue", async () => {
    await using visited = await running();
    const { page, session } = visited;
    queueOf(session, ["one", "two"], true);
    session.end({ reason: "cancelled", ok: false });
    await page.getByText("Queue paused · 2").waitFor();
    await page.getByPlaceholder("Send a message before the queue resumes…").fill("a correction");
    await button(page, "Send now").click();
    await expect.poll(() => session.state.turn).toBeDefined();
    expect(queued(session)).toEqual(["one", "two"]);
    await page.getByRole("log").getByText("a correction").waitFor();
    await page.getByText("Queued · 2").waitFor();
  });

  test("a message can still be added to the end of a paused queue", async () => {
    await using visited = await running();
    const { page, session } = visited;
    queueOf(session, ["one"], true);
    session.end({ reason: "cancelled", ok: false });
    await page.getByLabel("Message").fill("later");
    await button(page, "Queue").click();
    await expect.poll(() => queued(session)).toEqual(["one", "later"]);
    expect(session.state.queuePaused).toBe(true);
  });

  test("the focus stays in the queue when messages are moved and removed", async () => {
    await using visited = await running();
    const { page, session } = visited;
    queueOf(session, ["one", "two", "three"]);
    const row = (text: string) => page.getByRole("listitem").filter({ hasText: text });
    const focused = () =>
      page.evaluate(() => [
        document.activeElement?.closest("li")?.textContent,
        document.activeElement?.getAttribute("aria-label"),
      ]);
    /** What the page shows once no row is waiting for its answer. Such a row ignores keys. */
    const shown = () =>
      page
        .getByRole("region", { name: "Queue" })
        .getByRole("listitem")
        .evaluateAll((rows) => rows.map((one) => (one.ariaBusy === "true" ? "busy" : one.textContent)));
    await row("three").getByRole("button", { name: "Move up" }).focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => queued(session)).toEqual(["one", "three", "two"]);
    await expect.poll(shown).toEqual(["one", "three", "two"]);
    await expect.poll(focused).toEqual(["three", "Move up"]);
    await page.keyboard.press("Enter");
    await expect.poll(() => queued(session)).toEqual(["three", "one", "two"]);
    await expect.poll(focused).toEqual(["three", "Edit"]);
    await row("three").getByRole("button", { name: "Remove" }).focus();
    await page.keyboard.press("Enter");
    await expect.poll(focused).toEqual(["one", "Remove"]);
    await page.keyboard.press("Enter");
    await expect.poll(focused).toEqual(["two", "Remove"]);
    await page.keyboard.press("Enter");
    await expect.poll(focused).toEqual([undefined, "Message"]);
  });

  test("Arrow Up in an empty composer recalls the last prompt", async () => {
    await using visited = await running("first prompt");
    const { page } = visited;
    await page.getByLabel("Message").focus();
    await page.keyboard.press("ArrowUp");
    await expect.poll(() => page.getByLabel("Message").inputValue()).toBe("first prompt");
  });

  test("a denied tool call shows the reason once", async () => {
    await using visited = await running();
    const { page, session } = visited;
    const call = { toolCallId: "c1", toolName: "run" };
    session.emit({ type: "tool_call_start", ...call, kind: "execute", title: "rm x" });
    const result = { text: "Denied: User denied tool execution: not today" };
    session.emit({ type: "tool_result", ...call, status: "denied", result });
    const card = page.getByRole("article", { name: "Tool: rm x" });
    await card.getByText("Denied: not today", { exact: true }).waitFor();
  });

  test("a long prompt is folded until it is expanded", async () => {
    const lines = Array.from({ length: 40 }, (_, i) => `line ${i} of the prompt`);
    await using visited = await running(lines.join("\n"));
    const { page } = visited;
    const prompt = page.getByRole("article", { name: "You" }).locator("p").first();
    const height = async () => (await prompt.boundingBox())?.height ?? 0;
    const folded = await height();
    await button(page, "Show more").click();
    await expect.poll(height).toBeGreaterThan(2 * folded);
    await button(page, "Show less").click();
    await expect.poll(height).toBe(folded);
  });

  test("[ and ] scroll to the previous and the next prompt", async () => {
    await using visited = await running("prompt 0");
    const { page, session } = visited;
    for (let i = 1; i < 5; i++) {
      for (let n = 0; n < 40; n++)
        session.emit({ type: "notice", code: "N", message: `${i} ${n}`, facts: {} });
      session.end();
      session.begin(`prompt ${i}`);
    }
    await page.getByText("prompt 4").waitFor();
    const log = page.getByRole("log");
    const atTop = () =>
      log.evaluate((box) => {
        const prompts = [...box.querySelectorAll("article[aria-label=You]")];
        const top = box.getBoundingClientRect().top;
        return prompts.find((one) => Math.abs(one.getBoundingClientRect().top - top) < 40)?.textContent;
      });
    await expect.poll(() => log.evaluate((box) => box.scrollTop)).toBeGreaterThan(0);
    for (const [key = "", number] of ["[3", "[2", "[1", "]2", "]3"]) {
      await page.keyboard.press(key);
      await expect.poll(atTop).toContain(`prompt ${number}`);
    }
  });

  test("the tabs keep their positions whichever is open", async () => {
    await using visited = await running();
    const { page } = visited;
    const tabs = page.getByRole("navigation", { name: "Session views" }).getByRole("link");
    const places = () => tabs.evaluateAll((all) => all.map((tab) => tab.getBoundingClientRect().left));
    const before = await places();
    await page.getByRole("link", { name: "Raw log" }).click();
    await page.getByRole("log", { name: "stdout" }).waitFor();
    expect(await places()).toEqual(before);
  });
});
