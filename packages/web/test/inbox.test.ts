import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { findChromium } from "../../../test/kit/programs.ts";
import { until } from "../../../test/kit/until.ts";
import { capabilities } from "./fixture/facts.ts";
import { FixtureSession } from "./fixture/session.ts";
import { openInbox } from "./scenes.ts";
import { sharedBrowser } from "./shared-browser.ts";
import { button, cardListens, visit } from "./visit.ts";

const card = (page: Page, name: string) => page.getByRole("region", { name });

describe.skipIf(!findChromium())("the inbox (needs chromium)", () => {
  const browser = sharedBrowser();

  test("requests of any session appear without a reload, and are counted in the tab's title", async () => {
    await using visited = await openInbox(browser);
    const { page, first, second, complaints } = visited;
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    first.ask("c1", { toolKind: "execute", input: { command: "make test && rm -rf build" } });
    await card(page, "demo wants to run a command").waitFor();
    second.question([
      { id: "q1", question: "Which colour?", options: [{ label: "red" }], multiSelect: false },
    ]);
    await card(page, "demo has a question").waitFor();
    await page.getByRole("link", { name: /^Inbox.*2 waiting$/ }).waitFor();
    await expect.poll(() => page.title()).toBe("(2) Inbox · Drover");
    await expect.poll(() => page.locator("link[rel=icon]").getAttribute("href")).toContain("waiting");
    expect(await page.locator("pre").innerText()).toBe("$ make test && rm -rf build");
    await page.getByRole("link", { name: "Fix the test", exact: true }).waitFor();
    expect(asked).not.toContain("/api/interactions");
    expect(complaints).toEqual([]);
  });

  test("answering a card moves the focus to the next; a card settled elsewhere moves nothing", async () => {
    await using visited = await openInbox(browser);
    const { page, server, first, second } = visited;
    first.ask("c1", { toolKind: "execute", input: { command: "one" } });
    second.ask("c2", { toolKind: "execute", input: { command: "two" } });
    first.ask("c3", { toolKind: "edit", input: { path: "a", content: "three" } });
    const settledElsewhere = second.ask("c4", { toolKind: "execute", input: { command: "four" } });
    first.ask("c5", { toolKind: "execute", input: { command: "five" } });
    await card(page, "demo wants to run a command").nth(3).waitFor();
    const focused = () =>
      page.evaluate(() => document.activeElement?.closest("[data-interaction]")?.textContent ?? "");
    // The first card took the focus when it appeared.
    await cardListens(page);
    await page.keyboard.press("a");
    await expect.poll(focused).toContain("two");
    await cardListens(page);
    await page.keyboard.press("n");
    await expect.poll(focused).toContain("three");
    await button(page, "Approve").first().click();
    await expect.poll(focused).toContain("four");
    second.resolve(settledElsewhere, { resolution: "approved", by: "cli" });
    await page.getByText("Approved by the command line").waitFor();
    await expect.poll(focused).toBe("");
    await page.keyboard.press("a");
    await page.keyboard.press("j");
    await expect.poll(focused).toContain("five");
    const settled = [first, second].flatMap(({ resolved }) => resolved);
    expect(Object.fromEntries(settled.map(({ toolCallId, resolution }) => [toolCallId, resolution]))).toEqual(
      { c1: "approved", c2: "denied", c3: "approved", c4: "approved" },
    );
    expect(server.frames.filter(({ type }) => /approve|deny/.test(type))).toHaveLength(3);
  });

  test("keys move from card to card and decide the focused one", async () => {
    await using visited = await openInbox(browser);
    const { page, server, first, second } = visited;
    first.ask("c1", { toolKind: "execute", input: { command: "one" } });
    second.ask("c2", { toolKind: "execute", input: { command: "two" } });
    first.ask("c3", { toolKind: "execute", input: { command: "three" } });
    second.question([
      {
        id: "q1",
        question: "Which colour?",
        options: [{ label: "red" }, { label: "blue" }],
        multiSelect: false,
      },
    ]);
    await card(page, "demo has a question").waitFor();
    // The first card took the focus when it appeared.
    await cardListens(page);
    await page.keyboard.press("j");
    await page.keyboard.press("s");
    await page.getByText("Approved by you for this session").waitFor();
    await cardListens(page);
    await page.keyboard.press("k");
    await cardListens(page);
    await page.keyboard.press("a");
    await until(() => first.state.interactions.length + second.state.interactions.length === 2);
    await page.getByText("Inbox · 2 waiting").waitFor();
    await cardListens(page);
    await page.keyboard.press("k");
    await page.keyboard.press("j");
    await cardListens(page);
    // A number selects; only Enter sends.
    await page.keyboard.press("1");
    await page.keyboard.press("2");
    await page.keyboard.press("Enter");
    await page.getByText("Answered by you").waitFor();
    await page.getByRole("definition").getByText("blue").waitFor();
    await cardListens(page);
    await page.keyboard.press("k");
    await cardListens(page);
    await page.keyboard.press("d");
    await page.keyboard.type("not on a Friday");
    await page.keyboard.press("Enter");
    await page.getByText("not on a Friday").waitFor();
    const decisions = server.frames.filter(({ type }) => /approve|deny|answer/.test(type));
    expect(decisions.map(({ type, scope, reason, answers }) => [type, scope ?? reason ?? answers])).toEqual([
      ["session:approve", "session"],
      ["session:approve", "once"],
      ["session:answer", { q1: "blue" }],
      ["session:deny", "not on a Friday"],
    ]);
    expect(second.resolved.map(({ toolCallId }) => toolCallId)).toContain("c2");
    await page.getByText("Inbox", { exact: true }).first().waitFor();
  });

  test("approving a command for the session shows what will be remembered", async () => {
    await using visited = await openInbox(browser);
    const { page, first } = visited;
    first.ask("c1", { toolKind: "execute", input: { command: "bash deploy.sh prod" } });
    await button(page, "Approve bash deploy.sh prod for this session").click();
    await page.getByText("Approved by you for this session").waitFor();
  });

  test("an input can be edited before approval if the agent supports it", async () => {
    await using visited = await openInbox(browser);
    const { page, server, first } = visited;
    first.ask("c1", { toolKind: "execute", input: { command: "rm -rf /", cwd: "/tmp" } });
    await button(page, "Edit").click();
    await page.getByLabel("Command to run").fill("rm -rf ./build");
    await button(page, "Approve with changes").click();
    await page.getByText("Approved by you").waitFor();
    first.ask("c2", { toolKind: "edit", input: { edits: [1] } });
    await button(page, "Edit").click();
    const json = page.getByLabel("Input (JSON)");
    await json.fill("{");
    expect(await button(page, "Approve with changes").isDisabled()).toBe(true);
    await json.fill('{"edits": []}');
    await button(page, "Approve with changes").click();
    await until(() => first.state.interactions.length === 0);
    const inputs = server.frames.filter(({ type }) => type === "session:approve").map(({ input }) => input);
    expect(inputs).toEqual([{ command: "rm -rf ./build", cwd: "/tmp" }, { edits: [] }]);
  });

  test("a file to be written is shown as a diff if the agent shows the same change", async () => {
    await using visited = await openInbox(browser);
    const { page, first } = visited;
    const input = { path: "src/a.ts", text: "one\nzwei\n" };
    const diff = { path: "/home/ada/engine/src/a.ts", oldText: "one\ntwo\n", newText: "one\nzwei\n" };
    first.ask("c1", { toolKind: "edit", input, diffs: [diff] });
    const lines = () => page.locator("code > span").allInnerTexts();
    await page.getByText("zwei").waitFor();
    expect(await lines()).toEqual([" \none", "-\ntwo", "+\nzwei"]);
    await cardListens(page);
    await page.keyboard.press("n");
    await page.getByText("Denied by you").waitFor();
    first.ask("c2", { toolKind: "edit", input, diffs: [{ ...diff, newText: "harmless\n" }] });
    const other = page.getByRole("region", { name: "Also shown by the agent" });
    await other.getByText("harmless").waitFor();
    expect(await lines()).toEqual(["one", "zwei", "-\none", "-\ntwo", "+\nharmless"]);
  });

  test("a long change can be read to its last line before approval", async () => {
    await using visited = await openInbox(browser);
    const { page, first } = visited;
    const lines = Array.from({ length: 700 }, (_, at) => `line ${at}`);
    first.ask("c1", {
      toolKind: "edit",
      input: { path: "a.txt", oldText: "", newText: `${lines.join("\n")}\nrm -rf ~` },
    });
    await page.getByText("line 0", { exact: true }).waitFor();
    await page.getByText("Scroll to read all 701 lines").waitFor();
    await page.getByText("rm -rf ~").scrollIntoViewIfNeeded();
  });

  test("what an agent cannot accept is not offered; a reason it cannot receive stays with the decision", async () => {
    await using visited = await visit(browser);
    const { page, server } = visited;
    const plain = { ...capabilities, amend: false, denyReason: false };
    const session = server.add(new FixtureSession({ capabilities: plain }));
    session.begin("work");
    session.ask("c1", { toolKind: "execute", input: { command: "make" }, scopes: ["once"] });
    await page.goto(`${server.url}/#/inbox`);
    await card(page, "demo wants to run a command").waitFor();
    const names = await card(page, "demo wants to run a command").getByRole("button").allInnerTexts();
    expect(names).toEqual(["Approve", "Deny", "Deny with reason…"]);
    await cardListens(page);
    await page.keyboard.press("d");
    await page.getByLabel("Reason (saved; this agent may not see it)").waitFor();
    await page.keyboard.type("not on a Friday");
    await page.keyboard.press("Enter");
    await page.getByText("“not on a Friday”").waitFor();
    expect(session.resolved).toMatchObject([{ resolution: "denied", reason: "not on a Friday" }]);
  });

  test("a plan is approved, approved with edits, or sent back with feedback", async () => {
    await using visited = await openInbox(browser);
    const { page, server, first } = visited;
    const plan = () =>
      first.ask(`p${first.state.lastSeq}`, { toolKind: "plan", input: { plan: "# Plan\n\n1. Go" } });
    // On the page, too: text typed into a card that is about to leave does not go to the next one.
    const settled = async () => {
      await until(() => first.state.interactions.length === 0);
      await card(page, "demo has a plan").waitFor({ state: "detached" });
    };
    plan();
    await page.getByRole("region", { name: "Plan" }).getByText("# Plan").waitFor();
    await button(page, "Approve").click();
    await settled();
    plan();
    await button(page, "Approve and accept edits").click();
    await settled();
    plan();
    await page.getByLabel("What should change?").fill("smaller steps");
    await button(page, "Revise").click();
    await settled();
    const sent = server.frames.filter(({ type }) => /approve|deny/.test(type));
    expect(sent.map(({ type, permissionMode, reason }) => [type, permissionMode ?? reason])).toEqual([
      ["session:approve", undefined],
      ["session:approve", "acceptEdits"],
      ["session:deny", "smaller steps"],
    ]);
  });

  test("a card settled elsewhere says by whom, whether or not it was answered here", async () => {
    await using visited = await openInbox(browser);
    const { page, server, first } = visited;
    const asked = first.ask("c1", { toolKind: "execute", input: { command: "make" } });
    await button(page, "Approve").waitFor();
    server.holdsBack = true;
    first.resolve(asked, { resolution: "denied", by: "cli", reason: "not today" });
    await button(page, "Approve").click();
    await page.getByText(/Already denied by the command line at/).waitFor();
    server.holdsBack = false;
    const other = first.ask("c2", { toolKind: "execute", input: { command: "make install" } });
    await page.getByText("$ make install").waitFor();
    first.resolve(other, { resolution: "approved", by: "web:5e55" });
    await page.getByText("Approved by another browser (5e55)").waitFor();
  });
});
