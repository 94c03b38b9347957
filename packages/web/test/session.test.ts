import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { findChromium } from "../../../test/kit/programs.ts";
import { until } from "../../../test/kit/until.ts";
import { FixtureSession } from "./fixture/session.ts";
import { sharedBrowser } from "./shared-browser.ts";
import { button, cardListens, type Visit, visit } from "./visit.ts";

const nextFrame = (page: Page) => page.evaluate(() => new Promise((tick) => requestAnimationFrame(tick)));

describe.skipIf(!findChromium())("a session on the page (needs chromium)", () => {
  const browser = sharedBrowser();

  /** A page that shows a session with a running turn. */
  async function runningSession(): Promise<Visit & { session: FixtureSession }> {
    const visited = await visit(browser);
    const session = visited.server.add(new FixtureSession());
    session.begin("do something");
    await visited.page.goto(`${visited.server.url}/#/s/brave-otter`);
    await visited.page.getByText("do something").waitFor();
    return { ...visited, session };
  }

  test("a new session starts, asks, is approved and ends", async () => {
    await using visited = await visit(browser);
    const { page, server, complaints } = visited;
    server.onPrompt = (session) => {
      session.emit({
        type: "tool_call_start",
        toolCallId: "c1",
        toolName: "run",
        kind: "execute",
        title: "echo hi",
      });
      session.ask("c1", { toolKind: "execute", toolName: "run", input: { command: "echo hi" } });
    };
    await button(page, "New session").click();
    await page.getByLabel("Prompt").fill("tour");
    await page.getByLabel("Working directory").fill("/home/ada/engine");
    await expect.poll(() => page.getByLabel("Agent").inputValue()).toBe("demo");
    await button(page, "Start").click();
    await button(page, "Approve").click();
    await page.getByText("Approved by you").waitFor();
    const session = server.sessions[0];
    const result = { content: "hi\u001b]0;evil\u0007", rawOutput: { exitCode: 0 } };
    session?.emit({ type: "tool_result", toolCallId: "c1", toolName: "run", status: "complete", result });
    session?.end();
    await page.getByText("exit 0").waitFor();
    await page.getByText("Done in").waitFor();
    expect(await page.locator("article pre").allInnerTexts()).toEqual(["hi"]);
    expect(complaints).toEqual([]);
  });

  test("how the last turn ended survives a reload, and the list shows a failure", async () => {
    await using visited = await runningSession();
    const { page, session } = visited;
    const row = page.getByRole("navigation", { name: "Sessions" }).getByRole("link", { name: /brave-otter/ });
    session.end();
    await page.getByText(/^Done in \d+ s$/).waitFor();
    await page.reload();
    await page.getByText(/^Done in \d+ s$/).waitFor();
    expect(await row.getByText("failed").count()).toBe(0);
    session.begin("and again");
    await page.getByText("Done in").waitFor({ state: "detached" });
    session.end({
      ...{ reason: "error", ok: false },
      error: { code: "MODEL_ERROR", message: "The model is on fire", retry: "never" },
    });
    await row.getByText("failed").waitFor();
    await page.reload();
    await page.getByText(/^Failed after \d+ s: The model is on fire$/).waitFor();
    expect(await row.getByTitle("The model is on fire").innerText()).toBe("Failed");
    session.begin("once more");
    await row.getByText("failed").waitFor({ state: "detached" });
  });

  test("text grows as it streams, and a lost connection resumes after the last event", async () => {
    await using visited = await runningSession();
    const { page, server, session } = visited;
    const itemId = session.say("one ");
    await page.getByText("one").waitFor();
    await server.crash();
    await page.getByText("Reconnecting…").waitFor();
    const cursor = session.state.lastSeq;
    for (const word of ["two ", "three "]) session.say(word, itemId);
    await server.comeBack();
    await page.getByText("one two three").waitFor();
    session.say("four", itemId);
    await page.getByText("one two three four").waitFor();
    await page.getByText("Reconnecting…").waitFor({ state: "detached" });
    const opened = server.frames.filter(({ type }) => type === "session:open");
    expect(opened.map(({ after }) => after)).toEqual([undefined, cursor]);
  });

  test("a prompt sent while the server is away is delivered once when it returns", async () => {
    await using visited = await visit(browser);
    const { page, server } = visited;
    const session = server.add(new FixtureSession({ title: "Greetings" }));
    await page.goto(`${server.url}/#/s/brave-otter`);
    await page.getByText("No messages yet").waitFor();
    await server.crash();
    await page.getByText("Reconnecting…").waitFor();
    await page.getByLabel("Message").fill("hello again");
    await page.getByLabel("Message").press("Enter");
    await page.getByText("Sending…").waitFor();
    await server.comeBack();
    await until(() => session.log.some(({ type }) => type === "message"));
    await page.getByText("Sending…").waitFor({ state: "detached" });
    await expect.poll(() => page.getByText("hello again").count()).toBe(1);
    expect(session.log.filter(({ type }) => type === "message")).toHaveLength(1);
  });

  test("a draft survives a reload", async () => {
    await using visited = await runningSession();
    const { page } = visited;
    await page.getByLabel("Message").fill("half a thou");
    await page.reload();
    await expect.poll(() => page.getByLabel("Message").inputValue()).toBe("half a thou");
  });

  test("while a turn runs, messages can be queued, edited and dropped, and the turn interrupted", async () => {
    await using visited = await runningSession();
    const { page, session } = visited;
    for (const text of ["second", "third"]) {
      await page.getByLabel("Message").fill(text);
      await button(page, "Queue").click();
      await page.getByRole("region", { name: "Queue" }).getByText(text).waitFor();
    }
    const row = page.getByRole("listitem").filter({ hasText: "third" });
    await row.getByRole("button", { name: "Edit" }).click();
    await page.getByRole("region", { name: "Queue" }).getByLabel("Message").fill("third, better");
    await button(page, "Save").click();
    await page.getByText("third, better").waitFor();
    await page
      .getByRole("listitem")
      .filter({ hasText: "second" })
      .getByRole("button", { name: "Remove" })
      .click();
    await expect.poll(() => session.state.queue.map(({ content }) => content)).toEqual(["third, better"]);
    await button(page, "Interrupt").click();
    await page.getByText("Ended after").waitFor();
    await button(page, "Interrupt").waitFor({ state: "detached" });
  });

  test("an approval decided elsewhere says by whom", async () => {
    await using visited = await runningSession();
    const { page, session } = visited;
    session.emit({
      type: "tool_call_start",
      toolCallId: "c1",
      toolName: "run",
      kind: "execute",
      title: "rm x",
    });
    const asked = session.ask("c1", { toolKind: "execute", input: { command: "rm x" } });
    await button(page, "Approve").waitFor();
    session.resolve(asked, { resolution: "denied", by: "cli", reason: "not today" });
    await page.getByText("Denied by the command line").waitFor();
    await page.getByText("not today").waitFor();
    expect(await button(page, "Approve").count()).toBe(0);
  });

  test("y, s and n decide on a focused card, and a denial carries its reason", async () => {
    await using visited = await runningSession();
    const { page, server, session } = visited;
    const decide = async (act: () => Promise<void>) => {
      session.ask(`c${session.state.lastSeq}`, { toolKind: "execute", input: { command: "make" } });
      await page.getByRole("region", { name: "demo wants to run a command" }).focus();
      await cardListens(page);
      await act();
      await expect.poll(() => session.state.interactions.length).toBe(0);
      await button(page, "Approve").waitFor({ state: "detached" });
    };
    await decide(() => page.keyboard.press("y"));
    await decide(() => page.keyboard.press("s"));
    await decide(() => page.keyboard.press("n"));
    await decide(async () => {
      await button(page, "Deny with reason…").click();
      await page.keyboard.type("no yes sir");
      await button(page, "Deny").click();
    });
    const decisions = server.frames.filter(({ type }) => /approve|deny/.test(type));
    expect(decisions.map(({ type, scope, reason }) => [type, scope ?? reason])).toEqual([
      ["session:approve", "once"],
      ["session:approve", "session"],
      ["session:deny", undefined],
      ["session:deny", "no yes sir"],
    ]);
  });

  test("questions accept one option, several, or text", async () => {
    await using visited = await runningSession();
    const { page, server, session } = visited;
    const options = [{ label: "red" }, { label: "blue" }];
    session.question([
      { id: "q1", question: "Which colour?", options, multiSelect: false },
      {
        id: "q2",
        question: "Which rooms?",
        options: [{ label: "hall" }, { label: "bath" }],
        multiSelect: true,
      },
      { id: "q3", question: "Why?", options: [], multiSelect: false },
    ]);
    await page.getByLabel("blue").check();
    expect(await button(page, "Answer").isDisabled()).toBe(true);
    await page.getByLabel("hall").check();
    await page.getByLabel("bath").check();
    await page.getByLabel("Your answer").fill("because");
    await button(page, "Answer").click();
    await page.getByText("Answered by you").waitFor();
    const answered = server.frames.find(({ type }) => type === "session:answer");
    expect(answered?.answers).toEqual({ q1: "blue", q2: ["hall", "bath"], q3: "because" });
  });

  test("the transcript follows its end until the reader scrolls up", async () => {
    await using visited = await runningSession();
    const { page, session } = visited;
    const log = page.getByRole("log");
    const distance = () => log.evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight);
    for (let i = 0; i < 60; i++) session.emit({ type: "notice", code: "N", message: `line ${i}`, facts: {} });
    await page.getByText("line 59").waitFor();
    await expect.poll(distance).toBeLessThan(2);
    await log.evaluate((box) => box.scrollTo({ top: 0 }));
    await button(page, "Jump to latest").waitFor();
    session.emit({ type: "notice", code: "N", message: "line 60", facts: {} });
    session.emit({ type: "session_status", state: "stalled" });
    await page.getByRole("main").getByText("No output for a while").waitFor();
    expect(await log.evaluate((box) => box.scrollTop)).toBe(0);
    await button(page, "Jump to latest").click();
    await expect.poll(distance).toBeLessThan(2);

    // A queue that appears shrinks the transcript while it grows.
    for (let i = 0; i < 40; i++) {
      const message = { messageId: `m${i}`, content: `next ${i}`, by: "cli", at: new Date().toISOString() };
      session.emit({ type: "queue_update", paused: false, messages: i % 2 ? [message] : [] });
      session.emit({ type: "notice", code: "N", message: `more ${i}`, facts: {} });
      await nextFrame(page);
    }
    await page.getByText("more 39").waitFor();
    await expect.poll(distance).toBeLessThan(2);
    await button(page, "Jump to latest").waitFor({ state: "detached" });
  });
});
