import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildWeb } from "../../../scripts/build-web.ts";
import { launchBrowser } from "../../../test/kit/browser.ts";
import { findChromium } from "../../../test/kit/programs.ts";
import { FixtureSession } from "./fixture/session.ts";
import { visit } from "./visit.ts";

describe.skipIf(!findChromium())("more sessions than are listed at once (needs chromium)", () => {
  let browser: Browser;
  beforeAll(async () => {
    await buildWeb();
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  test("the older ones are a press away, for who scrolls and who searches, and stay after a server's return", async () => {
    await using visited = await visit(browser);
    const { page, server, complaints } = visited;
    for (let n = 1; n <= 1002; n++) {
      const updatedAt = new Date(n * 1000).toISOString();
      server.add(
        new FixtureSession({ name: `session-${n}`, title: n <= 2 ? "Ancient" : "Recent", updatedAt }),
      );
    }
    await page.reload();
    const rows = page.locator("nav li a[href^='#/s/']");
    const older = page.getByRole("button", { name: "Show older" });
    await page.getByText("These are the newest 500.").waitFor();
    expect(await rows.count()).toBe(500);
    await older.click();
    await page.getByText("These are the newest 1000.").waitFor();

    await page.getByLabel("Search sessions").fill("ancient");
    await page.getByText("No session matches.").waitFor();
    await older.click();
    await expect.poll(() => rows.count()).toBe(2);
    expect(await older.count()).toBe(0);

    await server.crash();
    await page.getByText("Reconnecting…").waitFor();
    await server.comeBack();
    await page.getByText("Reconnecting…").waitFor({ state: "detached" });
    await page.getByLabel("Search sessions").fill("");
    await expect.poll(() => rows.count()).toBe(1002);
    expect(complaints.filter((one) => !/WebSocket|ERR_CONNECTION/.test(one))).toEqual([]);
  });
});
