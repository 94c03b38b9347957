import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildWeb } from "../../../scripts/build-web.ts";
import { launchBrowser } from "../../../test/kit/browser.ts";
import { findChromium } from "../../../test/kit/programs.ts";
import { FixtureSession } from "./fixture/session.ts";
import { visit } from "./visit.ts";

/** The code of every page is there: what a page shows within itself is asked for when all pages have come. */
const fetched = (page: Page) =>
  expect
    .poll(() =>
      page.evaluate(() =>
        performance.getEntriesByType("resource").some(({ name }) => name.includes("changes-page")),
      ),
    )
    .toBe(true);

describe.skipIf(!findChromium())("while the server is away (needs chromium)", () => {
  let browser: Browser;
  beforeAll(async () => {
    await buildWeb();
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  test("a page nobody has looked at yet opens, says what is missing, and fills when the server is back", async () => {
    await using visited = await visit(browser);
    const { page, server } = visited;
    server.projects.push({ id: "prj_1", path: "/home/ada/engine", name: "engine", trusted: false, env: [] });
    await fetched(page);
    await server.crash();
    await page.getByText("Reconnecting…").waitFor();
    await page.goto(`${server.url}/#/projects`);
    await page.getByRole("heading", { name: "Projects" }).waitFor();
    await page.getByText("The connection to Drover was lost before it answered.").waitFor();
    await server.comeBack();
    await page.getByText("/home/ada/engine").waitFor();
    expect(await page.getByText("The connection to Drover was lost").count()).toBe(0);
  });

  test("a session the list does not have is asked for again when the server is back", async () => {
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
    await page.getByText("This session cannot be shown").waitFor();
    await server.comeBack();
    await page.getByText("kept words").waitFor();
  });

  test("nothing claims to be done that is not: a search, a command of the palette", async () => {
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
    await page.keyboard.type("stop the session");
    await page.keyboard.press("Enter");
    const alert = page.getByRole("alert").filter({ hasText: "The connection to Drover was lost" });
    await alert.waitFor();
    await page.getByRole("button", { name: "Close" }).click();
    await alert.waitFor({ state: "detached" });
  });
});
