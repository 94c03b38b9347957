import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { findChromium } from "../../../test/kit/programs.ts";
import { FixtureSession } from "./fixture/session.ts";
import { busyPage, titles } from "./scenes.ts";
import { sharedBrowser } from "./shared-browser.ts";
import { button, visit } from "./visit.ts";

const rowsOf = (page: Page) => page.locator("nav li a[href^='#/s/']");

describe.skipIf(!findChromium())("the list of sessions (needs chromium)", () => {
  const browser = sharedBrowser();

  test("loads older sessions on scroll and on search, and keeps them when the server returns", async () => {
    await using visited = await visit(browser);
    const { page, server, complaints } = visited;
    for (let n = 1; n <= 1002; n++) {
      const updatedAt = new Date(n * 1000).toISOString();
      server.add(
        new FixtureSession({ name: `session-${n}`, title: n <= 2 ? "Ancient" : "Recent", updatedAt }),
      );
    }
    await page.reload();
    const rows = rowsOf(page);
    await page.getByText("Showing the newest 500.").waitFor();
    await expect.poll(() => rows.count()).toBe(500);
    await page.getByRole("button", { name: "Show older" }).click();
    await page.getByText("Showing the newest 1000.").waitFor();

    await page.getByLabel("Filter sessions").fill("ancient");
    await page.getByText("No matching sessions").waitFor();
    await page.getByText("Searched the newest 1000.").waitFor();
    await page.getByRole("button", { name: "Search older sessions" }).click();
    await expect.poll(() => rows.count()).toBe(2);
    await page.getByText(/the newest/).waitFor({ state: "detached" });

    await server.crash();
    await page.getByText("Reconnecting…").waitFor();
    await server.comeBack();
    await page.getByText("Reconnecting…").waitFor({ state: "detached" });
    await page.getByLabel("Filter sessions").fill("");
    await expect.poll(() => rows.count()).toBe(1002);
    expect(complaints.filter((one) => !/WebSocket|ERR_CONNECTION/.test(one))).toEqual([]);
  });

  test("drops sessions that were removed while it loaded, and includes those added meanwhile", async () => {
    await using visited = await visit(browser);
    const { page, server, complaints } = visited;
    server.add(new FixtureSession({ name: "kept" }));
    const removed = server.add(new FixtureSession({ name: "removed" }));
    const added = new FixtureSession({ name: "added" });
    await page.routeWebSocket(/\/ws/, (socket) => {
      const upstream = socket.connectToServer();
      upstream.onMessage((message) => {
        if (JSON.parse(String(message)).type === "session:list") {
          socket.send(JSON.stringify({ type: "session_removed", sessionId: removed.id }));
          socket.send(JSON.stringify({ type: "session_upserted", session: added.record() }));
        }
        socket.send(message);
      });
    });
    await page.reload();
    const names = () =>
      rowsOf(page).evaluateAll((rows) => rows.map((row) => row.getAttribute("href")).sort());
    await page.locator("nav a[href='#/s/kept']").waitFor();
    expect(await names()).toEqual(["#/s/added", "#/s/kept"]);
    expect(complaints).toEqual([]);
  });

  test("groups sessions by project, updates live, and can be searched and filtered", async () => {
    await using visited = await busyPage(browser);
    const { page, working } = visited;
    const group = page.getByRole("navigation").getByRole("region", { name: "Shop" });
    await expect.poll(() => group.getByRole("listitem").count()).toBe(2);
    await page.getByLabel("Filter sessions").fill("shop pri");
    await expect.poll(() => titles(page)).toEqual(["Round the prices"]);
    await page.getByLabel("Filter sessions").fill("");
    await button(page, "Filters").click();
    await page.getByLabel("State").selectOption("Working");
    await expect.poll(() => titles(page)).toEqual(["Fix the cart"]);
    working.end();
    await page.getByText("No matching sessions").waitFor();
    await button(page, "Show all sessions").click();
    working.begin("again");
    working.end({ reason: "error", ok: false });
    await page.getByRole("navigation").getByTitle("Failed", { exact: true }).first().waitFor();
    await page.getByLabel("State").selectOption("Failed");
    await expect.poll(() => titles(page)).toEqual(["Fix the cart"]);
    await page.getByLabel("State").selectOption("Any state");
    await page.getByRole("navigation").getByLabel("Agent").selectOption("codex");
    await expect.poll(() => titles(page)).toEqual(["Write the docs"]);
  });

  test("has a field above it that opens the palette, with recent sessions before commands", async () => {
    await using visited = await busyPage(browser);
    const { page, server } = visited;
    await page.goto(`${server.url}/#/s/docs`);
    await page.getByLabel("Message").waitFor();
    await page.getByRole("button", { name: "Search or jump to…" }).click();
    const options = page.getByRole("dialog", { name: "Command palette" }).getByRole("option");
    await options.first().waitFor();
    const first = (await options.allInnerTexts()).slice(0, 3).map((text) => text.split("\n")[0]);
    expect(first.slice(0, 2).sort()).toEqual(["Fix the cart", "Round the prices"]);
    expect(first[2]).toBe("Show changes");
  });

  test("moves an archived session to the archive in every tab", async () => {
    await using visited = await busyPage(browser);
    const { page, server } = visited;
    const other = await page.context().newPage();
    await other.goto(server.url);
    await other
      .getByRole("link", { name: /Write the docs/ })
      .first()
      .waitFor();
    await page.goto(`${server.url}/#/s/docs`);
    await page.getByRole("button", { name: "More" }).first().click();
    await page.getByRole("menuitem", { name: "Archive" }).click();
    for (const tab of [page, other]) {
      await expect.poll(() => titles(tab)).toEqual(["Fix the cart", "Round the prices"]);
    }
    await button(other, "Filters").click();
    await other.getByLabel("Archived sessions").check();
    await expect.poll(() => titles(other)).toEqual(["Write the docs"]);
  });
});
