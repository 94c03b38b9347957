import type { Session } from "@drover/core";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { findChromium } from "../../../test/kit/programs.ts";
import { until } from "../../../test/kit/until.ts";
import { seriousFindings } from "./axe.ts";
import { capabilities } from "./fixture/facts.ts";
import { FixtureSession } from "./fixture/session.ts";
import { sharedBrowser } from "./shared-browser.ts";
import { type Visit, visit } from "./visit.ts";

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

describe.skipIf(!findChromium())("session controls on the page (need chromium)", () => {
  const browser = sharedBrowser();

  /** A page that shows a session with a running turn. */
  async function running(details: Partial<Session> = {}): Promise<Visit & { session: FixtureSession }> {
    const visited = await visit(browser);
    const session = visited.server.add(new FixtureSession(details));
    session.begin("do something");
    await visited.page.goto(`${visited.server.url}/#/s/brave-otter`);
    await visited.page.getByText("do something").waitFor();
    return { ...visited, session };
  }

  const queued = ({ state }: FixtureSession) => state.queue.map(({ content }) => content);

  test("L11 queued messages can be moved up and down, edited in place and dropped", async () => {
    await using visited = await running();
    const { page, session } = visited;
    for (const text of ["one", "two", "three"]) {
      await page.getByLabel("Message").fill(text);
      await button(page, "Queue").click();
      await page.getByRole("listitem").filter({ hasText: text }).waitFor();
    }
    const row = (text: string) => page.getByRole("listitem").filter({ hasText: text });
    await row("three").getByRole("button", { name: "Move up" }).click();
    await expect.poll(() => queued(session)).toEqual(["one", "three", "two"]);
    await row("one").getByRole("button", { name: "Move down" }).click();
    await expect.poll(() => queued(session)).toEqual(["three", "one", "two"]);
    await row("two").getByRole("button", { name: "Remove" }).click();
    await expect.poll(() => queued(session)).toEqual(["three", "one"]);
  });

  test("a session whose agent was lost says so, and how to get it back", async () => {
    await using visited = await running();
    const { page, session, server } = visited;
    const setConnection = (connection: Session["connection"]) => {
      session.details = { ...session.details, connection };
      server.broadcast({ type: "session_upserted", session: session.record() });
    };
    setConnection({ status: "reconnecting", attempt: 4, gaveUp: false });
    await page.getByText("Reconnecting to the agent (attempt 4)").waitFor();
    const asked = page.waitForRequest(/\/reconnect$/);
    await button(page, "Reconnect").click();
    expect((await asked).method()).toBe("POST");
    setConnection({
      status: "disconnected",
      attempt: 5,
      gaveUp: true,
      lastError: "demo ended with exit code 1",
    });
    await page
      .getByText("Can't reach the agent")
      .and(page.getByTitle("demo ended with exit code 1"))
      .waitFor();
    await button(page, "Reconnect").waitFor();
  });

  test("N6 a session whose agent was given up on shows why, with the agent's last output", async () => {
    await using visited = await running();
    const { page, session } = visited;
    const message = "demo ended four times within a minute";
    const reason = { code: "AGENT_CRASHED", message, stderrTail: "no licence found" };
    session.emit({ type: "session_status", state: "crashed", reason });
    const line = page.locator("p", { hasText: message });
    await line.locator("[data-stderr]").getByText("no licence found", { exact: true }).waitFor();
  });

  test("steering is not offered for an agent that cannot be steered", async () => {
    await using visited = await running({ capabilities: { ...capabilities, steer: false } });
    const { page, server } = visited;
    await page.getByLabel("Message").fill("to the left");
    await button(page, "Queue").waitFor();
    expect(await button(page, "Steer").count()).toBe(0);
    await page.getByLabel("Message").press("Control+Enter");
    await until(() => server.frames.some(({ type }) => type === "session:send"), { what: "it is sent" });
    const sent = server.frames.find(({ type }) => type === "session:send");
    expect(sent).not.toHaveProperty("disposition");
  });

  test("a running agent that accepts messages can be steered; while it waits for an answer, the page says why not", async () => {
    await using visited = await running({ capabilities: { ...capabilities, steer: true } });
    const { page, server, session } = visited;
    await page.getByLabel("Message").fill("to the left");
    await button(page, "Steer").click();
    await page.getByRole("article", { name: "You" }).getByText("to the left").waitFor();
    session.ask("c1", { toolKind: "execute", input: { command: "make" } });
    await button(page, "Approve").waitFor();
    await page.getByLabel("Message").fill("to the right");
    await page.getByLabel("Message").press("Control+Enter");
    await page.getByText("Not steered: the agent is waiting for an answer").waitFor();
    expect(queued(session)).toEqual(["to the right"]);
    const sent = server.frames.filter(({ type }) => type === "session:send");
    expect(sent.map(({ disposition }) => disposition)).toEqual(["steer", "steer"]);
  });

  test.each([
    ["MacIntel", "⌘Enter to steer", "⌘"],
    ["Linux x86_64", "Ctrl+Enter to steer", "Ctrl"],
  ])("key names follow the keyboard of %s", async (platform, hint, cap) => {
    await using visited = await running({ capabilities: { ...capabilities, steer: true } });
    const { page } = visited;
    await page.addInitScript((name) => {
      Object.defineProperty(navigator, "platform", { get: () => name });
    }, platform);
    await page.reload();
    await page.getByText(hint).waitFor();
    await page.getByRole("button", { name: "Search or jump to…" }).getByText(cap, { exact: true }).waitFor();
  });

  test("the prompt of the running turn is marked as running until the turn ends", async () => {
    await using visited = await running();
    const { page, session } = visited;
    const prompt = page.getByRole("article", { name: "You" });
    await prompt.getByText("Running").waitFor();
    await page.keyboard.press("Control+.");
    await page.getByText("The turn was interrupted.").waitFor();
    await page.getByText(/^Ended after \d+ s$/).waitFor();
    expect(session.state.turn).toBeUndefined();
    await prompt.getByText("Running").waitFor({ state: "detached" });
  });

  test("mode, model and title are changed in place", async () => {
    await using visited = await running({ model: "small-1" });
    const { page, session } = visited;
    await page.getByLabel("Permission mode").selectOption("Accept edits");
    await expect.poll(() => session.record().permissionMode).toBe("acceptEdits");
    await page.getByRole("button", { name: /small-1/ }).click();
    const offers = page.getByRole("list", { name: "Available models" }).getByRole("button");
    await offers.nth(1).waitFor();
    expect(await offers.evaluateAll((all) => all.map((one) => one.ariaPressed))).toEqual(["true", "false"]);
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByLabel("Model name").fill("large");
    await expect.poll(() => offers.count()).toBe(1);
    await offers.click();
    await expect.poll(() => session.record().model).toBe("large-2");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByRole("button", { name: /large-2/ }).click();
    await page.getByLabel("Model name").fill("secret-3");
    await button(page, "Use this model").click();
    await expect.poll(() => session.record().model).toBe("secret-3");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await button(page, "More").click();
    await page.getByRole("menuitem", { name: "Rename…" }).click();
    await page.getByLabel("Title").fill("A better name");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "A better name" }).waitFor();
  });

  test("an agent without a choice of models says where its model is set", async () => {
    await using visited = await running({ agent: "scribe" });
    const { page } = visited;
    await page.getByRole("button", { name: "Default model" }).click();
    await page.getByText("Scribe doesn't take a model from Drover.").waitFor();
    expect(await page.getByLabel("Model name").count()).toBe(0);
  });

  test("a session is forked from an item, there or into a worktree, if its agent supports it", async () => {
    await using visited = await running({ capabilities: { ...capabilities, fork: true } });
    const { page, server } = visited;
    await page.locator(".item").first().hover();
    await button(page, "Fork from here").click();
    await page.waitForURL(`${server.url}/#/s/calm-heron`);
    await page.goBack();
    await page.locator(".item").first().hover();
    await button(page, "Fork into a worktree").click();
    await page.waitForURL(`${server.url}/#/s/calm-heron-tree`);
    expect(server.git.forks).toEqual([{ at: 2 }, { at: 2, workspace: "worktree" }]);
  });

  test("an agent that cannot do something says so, and offers no button for it", async () => {
    const limited = { ...capabilities, approvals: "none", resume: false } as const;
    await using visited = await running({
      capabilities: limited,
      permissionMode: "ask",
      agentSessionId: "a",
    });
    const { page } = visited;
    await page.getByText("This agent can't ask for approval. Its mode (Ask) decides").waitFor();
    expect(await page.getByLabel("Permission mode").getAttribute("title")).not.toContain("Asks you");
    expect(await button(page, "Steer").count()).toBe(0);
    expect(await button(page, "Fork from here").count()).toBe(0);
    // There the agent begins with the transcript, so any agent can.
    expect(await button(page, "Fork into a worktree").count()).toBeGreaterThan(0);
    await button(page, "More").click();
    await page.getByRole("menuitem", { name: "What this agent can do" }).click();
    await page.getByText("Can't be steered: your messages wait until the turn ends.").waitFor();
    await page.getByText("Forgets the conversation when its process ends").waitFor();
  });

  test("tokens, cost and context usage appear next to the state", async () => {
    await using visited = await running();
    const { page, session } = visited;
    const usage = { inputTokens: 12_000, outputTokens: 900, costUsd: 0.25 };
    session.emit({
      type: "session_status",
      state: "running",
      ...usage,
      contextTokens: 90_000,
      contextMaxTokens: 200_000,
    });
    await page.getByText("12.9k tokens").waitFor();
    await page.getByText("$0.250").waitFor();
    await page.getByTitle("90,000 of 200,000 tokens of context").getByText("45%").waitFor();
  });

  test("the raw log shows the agent's output, scrolled to the last lines, with hidden characters spelled out", async () => {
    await using visited = await running();
    const { page, session, complaints } = visited;
    const lines = Array.from({ length: 3_000 }, (_, i) => `{"line":${i},"text":"äöü ${"x".repeat(60)}"}\n`);
    session.raw["stdout"] = lines.join("");
    session.raw["stderr"] = "warning: \u001b[31mred\u202e\n";
    await page.getByRole("link", { name: "Raw log" }).click();
    const log = page.getByRole("log", { name: "stdout" });
    await log.getByText('{"line":2999,').waitFor();
    expect(await log.innerText()).not.toContain('{"line":0,');
    // It opens at the agent's latest output.
    const left = () => log.evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight);
    await expect.poll(left).toBeLessThan(2);
    while ((await page.getByRole("button", { name: /^Show earlier/ }).count()) > 0) {
      const before = await log.innerText();
      await page.getByRole("button", { name: /^Show earlier/ }).click();
      await expect.poll(() => log.innerText()).not.toBe(before);
    }
    const text = await log.locator("pre").allTextContents();
    expect(text.join("")).toBe(lines.join(""));
    await button(page, "stderr").click();
    await page.getByText("warning: ⟨U+001B⟩[31mred⟨U+202E⟩").waitFor();
    expect(complaints).toEqual([]);
  });
});
