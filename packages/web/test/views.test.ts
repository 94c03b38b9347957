import { cp, readdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { buildWeb } from "../../../scripts/build-web.ts";
import { findChromium } from "../../../test/kit/programs.ts";
import { type TempDir, tempDir } from "../../../test/kit/temp.ts";
import { type PageEntry, pageEntries } from "../src/pages.tsx";
import { buildPath, requiredParams } from "../src/routing/path.ts";
import { builtPage } from "./fixture/page-files.ts";
import { FixtureSession } from "./fixture/session.ts";
import { busyPage } from "./scenes.ts";
import { sharedBrowser } from "./shared-browser.ts";
import { button, pressInOneGo, visit } from "./visit.ts";

/** The page of another Drover version: the same, with other asset names. */
async function anotherBuild(): Promise<TempDir> {
  const copy = await tempDir();
  await cp(builtPage, copy.path, { recursive: true });
  const assets = join(copy.path, "assets");
  const names = (await readdir(assets)).filter((name) => /^(index|inbox-page)-.*\.js$/.test(name));
  const renamed = (text: string) =>
    names.reduce((now, name) => now.replaceAll(name, name.replace(/-/, "-other-")), text);
  const files = [join(copy.path, "index.html"), ...(await readdir(assets)).map((name) => join(assets, name))];
  for (const file of files.filter((name) => /\.(html|js)$/.test(name))) {
    await writeFile(file, renamed(await readFile(file, "utf8")));
  }
  for (const name of names) await rename(join(assets, name), join(assets, renamed(name)));
  return copy;
}

beforeAll(async () => {
  await buildWeb();
});

test("the list of sessions needs at most 340 KB of script", async () => {
  const html = await readFile(join(builtPage, "index.html"), "utf8");
  const scripts = [...html.matchAll(/(?:src|modulepreload" crossorigin href)="\/([^"]+\.js)"/g)];
  expect(scripts.length).toBeGreaterThan(2);
  const home = (await readdir(join(builtPage, "assets"))).filter((name) => /^home-page-.*\.js$/.test(name));
  expect(home).toHaveLength(1);
  const paths = [...scripts.map(([, path = ""]) => path), ...home.map((name) => `assets/${name}`)];
  const sizes = await Promise.all(paths.map(async (path) => (await stat(join(builtPage, path))).size));
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(340_000);
});

test("the licence of every bundled package is included: for the script, the workers and the typefaces", async () => {
  const names = ["react-dom", "@shikijs-langs", "@fontsource-variable-inter"];
  const texts = names.map((name) => readFile(join(builtPage, "licenses", `${name}.txt`), "utf8"));
  expect(await Promise.all(texts)).toEqual([
    expect.stringMatching(/^MIT License\s+Copyright \(c\) Meta/),
    expect.stringMatching(/^MIT License\s+Copyright \(c\) 2021 Pine Wu/),
    expect.stringContaining("SIL OPEN FONT LICENSE"),
  ]);
});

describe.skipIf(!findChromium())("the table of pages (needs chromium)", () => {
  const browser = sharedBrowser();

  test("drives the links, the keys, the key sheet, the palette and the document's title", async () => {
    await using visited = await visit(browser);
    const { page, complaints } = visited;
    // The fixture has no API reference.
    const entries = pageEntries
      .filter(({ path }) => path !== "/docs" && requiredParams(path).length === 0)
      .map((entry) => ({ ...entry, path: buildPath(entry.path) }));
    const link = (path: string) => page.locator(`nav a[href="#${path}"]`);
    const isAt = async ({ path, title }: PageEntry) => {
      await page.waitForURL((url) => (url.hash || "#/") === `#${path}`);
      await expect.poll(() => page.title()).toBe(`${title} · Drover`);
    };
    const close = async () => {
      await page.evaluate(() => location.assign("#/nowhere"));
      await expect.poll(() => page.title()).toBe("Page not found · Drover");
    };
    for (const entry of entries) {
      const { path, title, nav, key, keywords } = entry;
      await close();
      if (nav !== undefined) {
        await link(path).click();
        await isAt(entry);
        expect(await link(path).getAttribute("aria-current")).toBe("page");
        await close();
      }
      if (key !== undefined) {
        await pressInOneGo(page, ...key.split(" "));
        await isAt(entry);
        await page.keyboard.press("?");
        const row = page.getByRole("dialog").locator("dl > div").filter({ hasText: title });
        const caps = key.replaceAll(" ", "").toUpperCase();
        await expect
          .poll(async () => (await row.locator("dd").allInnerTexts()).map((text) => text.replace(/\s/g, "")))
          .toContain(caps);
        await page.keyboard.press("Escape");
        await close();
      }
      if (keywords !== undefined) {
        await page.keyboard.press("Control+k");
        await page.keyboard.type(`${title} ${keywords}`);
        await page.keyboard.press("Enter");
        await isAt(entry);
      }
    }
    expect(complaints).toEqual([]);
  });
});

describe.skipIf(!findChromium())("a lazily loaded view (needs chromium)", () => {
  const browser = sharedBrowser();

  test("is prefetched along with its own views, and rendered at once", async () => {
    await using visited = await visit(browser);
    const { page, complaints } = visited;
    const fetched = () =>
      page.evaluate(() =>
        performance
          .getEntriesByType("resource")
          .map(({ name }) => /assets\/([a-z-]+-page)-/.exec(name)?.[1])
          .filter((name) => name !== undefined)
          .sort(),
      );
    await expect
      .poll(fetched)
      .toEqual(
        "agents board changes docs doctor home inbox projects proposals raw-log review session settings workspaces"
          .split(" ")
          .map((name) => `${name}-page`),
      );
    expect(complaints).toEqual([]);
    const hasLoadedInbox = () =>
      page.evaluate(() =>
        performance.getEntriesByType("resource").some(({ name }) => name.endsWith("/api/interactions")),
      );
    await expect.poll(hasLoadedInbox).toBe(true);
    // React's default would delay a loaded view by 300 ms.
    const drawn = await page.evaluate(async () => {
      const changed = new Promise((resolve) => addEventListener("hashchange", resolve, { once: true }));
      location.hash = "#/inbox";
      await changed;
      for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
      return document.body.innerText;
    });
    expect(drawn).toContain("You're all caught up");
  });

  test("opens even if its shortcut was pressed before it had loaded", async () => {
    await using visited = await visit(browser);
    const { page, server } = visited;
    const held = Promise.withResolvers<void>();
    await page.route(/assets\/inbox-page-.*\.js$/, async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.goto(`${server.url}/?again`);
    await page.getByLabel("Filter sessions").or(page.getByText("No sessions yet")).first().waitFor();
    await pressInOneGo(page, "g", "i");
    await page.waitForURL(/#\/inbox$/);
    held.resolve();
    await page.getByText("You're all caught up").waitFor();
  });

  test("that had not loaded when the server went away opens when the server returns", async () => {
    await using visited = await visit(browser);
    const { page, server } = visited;
    await page.route(/assets\/inbox-page-.*\.js$/, (route) => route.abort());
    await page.reload();
    await page.getByText("No sessions yet").waitFor();
    await server.crash();
    await page.getByText("Reconnecting…").waitFor();
    await page.goto(`${server.url}/#/inbox`);
    await page.unrouteAll();
    await server.comeBack();
    await page.getByText("You're all caught up").waitFor();
  });

  test("that an upgraded server no longer has is loaded from that server's own page", async () => {
    await using upgraded = await anotherBuild();
    await using visited = await visit(browser);
    const { page, server } = visited;
    const session = server.add(new FixtureSession());
    session.begin("kept words");
    await page
      .getByRole("link", { name: /brave-otter/ })
      .first()
      .waitFor();
    await page.route(/assets\/inbox-page-(?!other).*\.js$/, (route) => route.abort());
    await page.reload();
    await page
      .getByRole("link", { name: /brave-otter/ })
      .first()
      .click();
    await page.getByLabel("Message").fill("a draft");
    server.app = upgraded.path;
    await page.goto(`${server.url}/#/inbox`);
    await page.getByText("You're all caught up").waitFor();
    expect(await page.locator("script[type=module]").getAttribute("src")).toContain("index-other-");
    await page.goBack();
    await expect.poll(() => page.getByLabel("Message").inputValue()).toBe("a draft");
  });

  test("that cannot be loaded says so and leaves the rest of the page working", async () => {
    await using visited = await busyPage(browser);
    const { page, server } = visited;
    await page.route(/assets\/inbox-page-.*\.js$/, (route) => route.abort());
    // Its code is prefetched.
    await page.reload();
    await page.goto(`${server.url}/#/inbox`);
    await page.getByText("This page can't be displayed").waitFor();
    // On a phone, where there is no list next to it, there is a way back as well.
    await page.getByRole("alert").getByRole("link", { name: "All sessions" }).waitFor();
    await page
      .getByRole("link", { name: /Fix the cart/ })
      .first()
      .click();
    await page.getByLabel("Message").waitFor();
    await page.goBack();
    await button(page, "Reload").waitFor();
    await page.unroute(/assets\/inbox-page-.*\.js$/);
    await button(page, "Reload").click();
    await page.getByText("You're all caught up").waitFor();
  });
});
