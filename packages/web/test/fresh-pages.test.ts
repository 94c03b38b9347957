import { readdir } from "node:fs/promises";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { openPage } from "../../../test/kit/page.ts";
import { findChromium } from "../../../test/kit/programs.ts";
import { FixtureServer } from "./fixture/server.ts";
import { newSession, type RealVisit, sharedServer, write } from "./real-visit.ts";
import { sharedBrowser } from "./shared-browser.ts";

const viewport = { width: 1200, height: 800 };

/** Everything that one page could leave behind for the next. */
const traces = async (page: Page) => ({
  cookies: (await page.context().cookies()).map(({ name }) => name),
  pages: page.context().pages().length,
  ...(await page.evaluate(async () => ({
    local: Object.keys(localStorage),
    session: Object.keys(sessionStorage),
    databases: (await indexedDB.databases()).map(({ name }) => name),
    clipboard: (await navigator.permissions.query({ name: "clipboard-read" as PermissionName })).state,
    opener: window.opener !== null,
    width: innerWidth,
    dark: matchMedia("(prefers-color-scheme: dark)").matches,
    planted: "planted" in window,
  }))),
});

describe.skipIf(!findChromium())("pages that share a renderer (needs chromium)", () => {
  const browser = sharedBrowser();

  test("inherit nothing from the previous one, even at the same address", async () => {
    await using server = await FixtureServer.start();
    const before = await (async () => {
      await using opened = await openPage(browser(), server.url, { viewport });
      const { page } = opened;
      await opened.goTo(`${server.url}/login`);
      const clean = await traces(page);
      await page.setViewportSize({ width: 390, height: 700 });
      await page.emulateMedia({ colorScheme: "dark" });
      await page.addInitScript(() => Object.assign(window, { planted: true }));
      await page.context().grantPermissions(["clipboard-read"]);
      await page.context().addCookies([{ name: "left", value: "behind", url: server.url }]);
      await (await page.context().newPage()).goto(`${server.url}/login`);
      await page.evaluate(async () => {
        localStorage.setItem("left", "behind");
        sessionStorage.setItem("left", "behind");
        await new Promise((done) => Object.assign(indexedDB.open("left"), { onsuccess: done }));
      });
      await page.reload();
      const used = await traces(page);
      for (const [name, value] of Object.entries(used)) {
        if (name !== "opener") expect(value, name).not.toEqual(clean[name as keyof typeof clean]);
      }
      return clean;
    })();
    await using opened = await openPage(browser(), server.url, { viewport });
    await opened.goTo(`${server.url}/login`);
    expect(await traces(opened.page)).toEqual(before);
  });

  test("belong to different people when they are open at the same time", async () => {
    await using server = await FixtureServer.start();
    await using first = await openPage(browser(), server.url, { viewport, state: server.storageState() });
    await using second = await openPage(browser(), server.url, { viewport });
    await first.goTo(server.url);
    await second.goTo(server.url);
    expect([first, second].map(({ page }) => new URL(page.url()).pathname)).toEqual(["/", "/login"]);
  });

  test("refuse what would outlive them", async () => {
    await using server = await FixtureServer.start();
    await using opened = await openPage(browser(), server.url, { viewport });
    expect(() => opened.page.clock).toThrow("outlive");
    expect(() => opened.page.context().route).toThrow("outlive");
    await using own = await openPage(browser(), server.url, { viewport, ownClock: true });
    await own.page.clock.install({ time: 0 });
    await own.goTo(`${server.url}/login`);
    expect(await own.page.evaluate(() => Date.now())).toBeLessThan(3_600_000);
  });
});

describe.skipIf(!findChromium())("visits of a shared server (needs chromium)", () => {
  const visitShared = sharedServer(sharedBrowser());

  /** Everything that one test could leave behind for the next. */
  const found = async ({ client, work }: RealVisit) => ({
    ...(await client.get<object>("/api/sessions")),
    archived: await client.get("/api/sessions?archived=true"),
    ...(await client.get<object>("/api/projects")),
    files: await readdir(work),
  });

  test("find it without sessions, projects or files of the previous one", async () => {
    const before = await (async () => {
      await using visit = await visitShared();
      const clean = await found(visit);
      await write(visit.work, { "left.txt": "behind" });
      await newSession(visit);
      const { id } = await newSession(visit);
      await visit.client.patch(`/api/sessions/${id}`, { archived: true });
      const used = await found(visit);
      for (const [name, value] of Object.entries(used)) {
        expect(value, name).not.toEqual(clean[name as keyof typeof clean]);
      }
      return clean;
    })();
    await using visit = await visitShared();
    expect(await found(visit)).toEqual(before);
  });
});
