import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { findChromium } from "../../../test/kit/programs.ts";
import { startServer } from "../../../test/kit/server.ts";
import { newSession, sharedServer } from "./real-visit.ts";
import { sharedBrowser } from "./shared-browser.ts";

/** The font files a page requested, by family and subset, with what caused each request. */
const askedFor = (page: Page) =>
  page.evaluate(() =>
    (performance.getEntriesByType("resource") as PerformanceResourceTiming[])
      .filter(({ name }) => name.endsWith(".woff2"))
      .map(({ name, initiatorType }) => `${/login-([a-z0-9-]+)-wght/.exec(name)?.[1]} by ${initiatorType}`)
      .sort(),
  );

/** The font faces in use, once none is loading. */
const drawnWith = (page: Page) =>
  page.evaluate(async () => {
    const faces = [...(await document.fonts.ready)].filter(({ status }) => status === "loaded");
    return [...new Set(faces.map(({ family, style }) => `${family.replaceAll('"', "")} ${style}`))].sort();
  });

describe.skipIf(!findChromium())("the typefaces (needs chromium)", () => {
  const browser = sharedBrowser();
  const visitShared = sharedServer(browser);

  test("are served with the page, only the Latin subset at first, and their files are immutable", async () => {
    await using visited = await visitShared();
    const { page, server, complaints } = visited;
    const fonts: (string | undefined)[] = [];
    page.on("response", (response) => {
      if (!response.url().endsWith(".woff2")) return;
      fonts.push(response.headers()["content-type"], response.headers()["cache-control"]);
    });
    await page.goto(`${server.url}/?again`);
    await page.getByText("No agents running yet").waitFor();
    await expect.poll(() => drawnWith(page)).toEqual(["Geist Mono Variable normal", "Inter Variable normal"]);
    expect(await askedFor(page)).toEqual(["geist-mono-latin by link", "inter-latin by link"]);
    await expect
      .poll(() => new Set(fonts))
      .toEqual(new Set(["font/woff2", expect.stringContaining("immutable")]));
    expect(complaints).toEqual([]);
  });

  test("load before the login", async () => {
    await using server = await startServer();
    await using page = await browser().newPage();
    const refused: string[] = [];
    page.on("response", (response) => {
      if (response.status() >= 400) refused.push(response.url());
    });
    await page.goto(`${server.url}/login`);
    await page.getByLabel("Login code or token").waitFor();
    await expect.poll(() => drawnWith(page)).toEqual(["Geist Mono Variable normal", "Inter Variable normal"]);
    // Also for text in other scripts, which a browser's translation may put there.
    await page.getByRole("heading").evaluate((heading) => {
      heading.textContent = "Погонщик";
    });
    await expect.poll(() => askedFor(page)).toContain("inter-cyrillic by css");
    await page.evaluate(() => document.fonts.ready);
    expect(refused).toEqual([]);
  });

  test("render every character of every script as written, in terminal output too", async () => {
    await using visited = await visitShared();
    const { page, server, client, complaints } = visited;
    const { id } = await newSession(visited, { permissionMode: "never" });
    const text = "`a -> b`, *3x4* and Привет.";
    await client.post(`/api/sessions/${id}/messages`, { content: `run printf '├── a\\n'\nsay ${text}` });
    await page.goto(`${server.url}/#/s/${id}`);
    const words = page.locator(".markdown").getByText("Привет");
    await words.waitFor();
    for (const place of [words, page.locator(".markdown code"), page.getByLabel("Message")]) {
      expect(await place.evaluate((element) => getComputedStyle(element).fontVariantLigatures)).toBe(
        "no-contextual",
      );
    }
    await expect
      .poll(() => askedFor(page))
      .toEqual(expect.arrayContaining(["geist-mono-symbols2 by css", "inter-cyrillic by css"]));
    await expect.poll(() => drawnWith(page)).toContain("Inter Variable italic");
    expect(complaints).toEqual([]);
  });
});
