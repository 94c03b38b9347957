import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { api } from "../../../test/kit/http.ts";
import { findChromium } from "../../../test/kit/programs.ts";
import { startServer } from "../../../test/kit/server.ts";
import { FixtureSession } from "./fixture/session.ts";
import { newSession, repositoryWith, visitServer, write } from "./real-visit.ts";
import { openInbox, openUnseen } from "./scenes.ts";
import { sharedBrowser } from "./shared-browser.ts";
import { button, visit } from "./visit.ts";

/** Waits for the code of every page: a page's own views are requested only after all pages have loaded. */
const fetched = (page: Page) =>
  expect
    .poll(() =>
      page.evaluate(() =>
        performance.getEntriesByType("resource").some(({ name }) => name.includes("changes-page")),
      ),
    )
    .toBe(true);

describe.skipIf(!findChromium())("while the server or the person is away (needs chromium)", () => {
  const browser = sharedBrowser();

  test("a page that was never opened opens, says what is missing, and fills in when the server returns", async () => {
    await using visited = await visit(browser);
    const { page, server } = visited;
    server.projects.push({
      id: "prj_1",
      path: "/home/ada/engine",
      name: "engine",
      trusted: false,
      env: [],
      setup: [],
    });
    await fetched(page);
    await server.crash();
    await page.getByText("Reconnecting…").waitFor();
    await page.goto(`${server.url}/#/projects`);
    await page.getByRole("heading", { name: "Projects" }).waitFor();
    await page.getByText("Lost the connection to Drover.").waitFor();
    await server.comeBack();
    await page.getByText("/home/ada/engine").waitFor();
    expect(await page.getByText("Lost the connection to Drover").count()).toBe(0);
  });

  test("a session missing from the list is requested again when the server returns", async () => {
    await using visited = await visit(browser);
    const { page, server } = visited;
    await page.getByText("No sessions yet").waitFor();
    const session = new FixtureSession();
    session.begin("kept words");
    session.end();
    session.archived = true;
    server.add(session);
    await fetched(page);
    await server.crash();
    await page.goto(`${server.url}/#/s/brave-otter`);
    await page.getByText("Session unavailable").waitFor();
    await server.comeBack();
    await page.getByText("kept words").waitFor();
  });

  test("a search or a palette command that did not run is never shown as done", async () => {
    await using visited = await visit(browser);
    const { page, server } = visited;
    const session = server.add(new FixtureSession());
    session.begin("go on");
    for (let i = 0; i < 400; i++) {
      session.emit({ type: "notice", code: "N", message: `line ${i} of many`, facts: {} });
    }
    await page.goto(`${server.url}/#/s/brave-otter`);
    await page.getByText("line 399 of many").waitFor();
    await server.crash();
    await page.getByText("Reconnecting…").waitFor();
    await page.keyboard.press("Control+f");
    await page.keyboard.type("line 7 of many");
    await page.keyboard.press("Enter");
    await page.getByRole("search", { name: "Find in transcript" }).getByText("Connection lost").waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("stop session");
    await page.keyboard.press("Enter");
    const alert = page.getByRole("alert").filter({ hasText: "Lost the connection to Drover" });
    await alert.waitFor();
    await page.getByRole("button", { name: "Close" }).click();
    await alert.waitFor({ state: "detached" });
  });

  test("requests settled while the connection was lost are settled when it returns", async () => {
    await using visited = await openInbox(browser);
    const { page, server, first, second } = visited;
    const asked = first.ask("c1", { toolKind: "execute", input: { command: "make" } });
    await button(page, "Approve").waitFor();
    await server.crash();
    await page.getByText("Reconnecting…").waitFor();
    first.resolve(asked, { resolution: "approved", by: "cli" });
    second.ask("c2", { toolKind: "execute", input: { command: "cargo build" } });
    await server.comeBack();
    await page.getByText("$ cargo build").waitFor();
    await page.getByText("Approved by the command line").waitFor();
    expect(await button(page, "Approve").count()).toBe(1);
  });

  test("a request settled while the inbox loads does not reappear", async () => {
    await using visited = await openInbox(browser);
    const { page, first } = visited;
    const asked = first.ask("c1", { toolKind: "execute", input: { command: "make" } });
    await button(page, "Approve").waitFor();
    const announced = page
      .waitForEvent("websocket")
      .then((socket) =>
        socket.waitForEvent("framereceived", ({ payload }) =>
          String(payload).includes("interaction_resolved"),
        ),
      );
    await page.route("**/api/interactions", async (route) => {
      const listed = await route.fetch();
      first.resolve(asked, { resolution: "approved", by: "cli" });
      await announced;
      await route.fulfill({ response: listed });
    });
    await page.reload();
    await page.getByText("You're all caught up").waitFor();
    await expect.poll(() => page.title()).toBe("Inbox · Drover");
  });

  test("desktop notifications are offered, need a yes, and appear only when the page is out of view", async () => {
    await using visited = await openUnseen(browser);
    visited.first.ask("c1", { toolKind: "execute", input: { command: "make" } });
    await button(visited.page, "Approve").waitFor();
    await expect.poll(visited.shown).toEqual(["Demo wants to run a command: brave-otter: make"]);
  });

  test("requests made while the connection was lost cause a notification when it returns", async () => {
    await using visited = await openUnseen(browser);
    const { page, server, first, shown } = visited;
    await server.crash();
    await page.getByText("Reconnecting…").waitFor();
    first.ask("c1", { toolKind: "execute", input: { command: "make" } });
    await server.comeBack();
    await button(page, "Approve").waitFor();
    await expect.poll(shown).toEqual(["Demo wants to run a command: brave-otter: make"]);
  });

  test("no tab notifies a person who is looking at another one", async () => {
    await using visited = await openUnseen(browser);
    const { page, server, first, tabsInView, shown } = visited;
    const other = await page.context().newPage();
    await other.goto(`${server.url}/#/inbox`);
    await expect.poll(tabsInView).toBe(1);
    const asked = first.ask("c1", { toolKind: "execute", input: { command: "make" } });
    await button(page, "Approve").waitFor();
    first.resolve(asked, { resolution: "approved", by: "cli" });
    await other.close();
    await expect.poll(tabsInView).toBe(0);
    first.ask("c2", { toolKind: "execute", input: { command: "make again" } });
    await expect.poll(shown).toEqual(["Demo wants to run a command: brave-otter: make again"]);
  });

  test("comments on changes are shown as sending while the server is away, and as sent once it has them", async () => {
    await using visited = await visitServer(browser);
    const { page, work, server } = visited;
    await repositoryWith(work, { "a.txt": "one\n" });
    await write(work, { "a.txt": "eins\n" });
    const session = await newSession(visited);
    await page.goto(`${server.url}/#/s/${session.name}/changes`);
    const file = page.getByRole("region", { name: "a.txt", exact: true });
    await file.getByRole("button", { name: "Comment on line 1", exact: true }).click();
    await file.getByRole("textbox").fill("Why German?");
    await server.kill9();
    await page.getByText("Reconnecting…").waitFor();
    await page.getByRole("button", { name: "Send 1 comment" }).click();
    await page.getByText("Sending as one message…").waitFor();
    await using again = await startServer({ home: server.home, args: ["--port", String(server.port)] });
    await page.getByText("Sent as one message.").waitFor();
    const { items } = await api(again).get<{ items: { kind: string }[] }>(
      `/api/sessions/${session.id}/messages`,
    );
    expect(items.filter(({ kind }) => kind === "user")).toHaveLength(1);
  });
});
