import type { Locator, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { findChromium } from "../../../test/kit/programs.ts";
import { until } from "../../../test/kit/until.ts";
import { FixtureSession } from "./fixture/session.ts";
import { sharedBrowser } from "./shared-browser.ts";
import { type Visit, visit } from "./visit.ts";

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const rows = (page: Page) => page.locator("[data-index]").count();

/** Clicks a button of an item, which then briefly shows the result. */
const press = (item: Locator, name: string, outcome: string) =>
  Promise.all([
    item.getByRole("button", { name: outcome }).waitFor(),
    item.getByRole("button", { name, exact: true }).click(),
  ]);

describe.skipIf(!findChromium())("a long transcript on the page (needs chromium)", () => {
  const browser = sharedBrowser();

  /** A page that shows the end of a session with that many notices. */
  async function longSession(count: number, at = "") {
    const visited: Visit = await visit(browser);
    const session = visited.server.add(new FixtureSession());
    session.begin("go");
    for (let i = 0; i < count; i++) {
      session.emit({ type: "notice", code: "N", message: `line ${i} of many`, facts: {} });
    }
    const asked: string[] = [];
    visited.page.on("request", (request) => {
      const { pathname, search } = new URL(request.url());
      if (pathname.endsWith("/messages")) asked.push(search);
    });
    await visited.page.goto(`${visited.server.url}/#/s/brave-otter${at}`);
    const log = visited.page.getByRole("log");
    return { ...visited, session, asked, log };
  }

  const scrollTo = (page: Page, end: "top" | "bottom") =>
    page
      .getByRole("log")
      .evaluate((box, where) => box.scrollTo({ top: where === "top" ? 0 : box.scrollHeight }), end);

  test("only rows in or near the viewport are rendered, and discarded ones are loaded again", async () => {
    await using visited = await longSession(1500);
    const { page, asked, complaints } = visited;
    await page.getByText("line 1499 of many").waitFor();
    expect(await rows(page)).toBeLessThan(60);
    await until(async () => {
      await scrollTo(page, "top");
      return (await page.getByText(/^line 0 of/).count()) > 0;
    });
    await page.getByText("go", { exact: true }).waitFor();
    expect(await rows(page)).toBeLessThan(60);
    expect(asked.filter((query) => query.includes("before=")).length).toBeGreaterThan(10);
    // The newest were discarded on the way up.
    expect(await page.getByText("line 1499 of many").count()).toBe(0);
    await until(async () => {
      await scrollTo(page, "bottom");
      return (await page.getByText("line 1499 of many").count()) > 0;
    });
    expect(asked.some((query) => query.includes("after="))).toBe(true);
    expect(await rows(page)).toBeLessThan(60);
    expect(complaints).toEqual([]);
  });

  test("visible rows stay in place while older items load above and newer ones arrive below", async () => {
    await using visited = await longSession(600);
    const { page, session, asked } = visited;
    await page.getByText("line 599 of many").waitFor();
    const gate = Promise.withResolvers<void>();
    await page.route("**/messages?*", async (route) => {
      await gate.promise;
      await route.continue();
    });
    await until(async () => {
      await page.getByRole("log").evaluate((box) => box.scrollTo({ top: 300 }));
      return asked.length > 0;
    });
    const seen = await page.evaluate(() => {
      const box = document.querySelector("[role=log]")?.getBoundingClientRect();
      const all = [...document.querySelectorAll("[data-seq]")];
      const first = all.find((row) => row.getBoundingClientRect().top > (box?.top ?? 0) + 40);
      return { seq: first?.getAttribute("data-seq"), top: first?.getBoundingClientRect().top ?? 0 };
    });
    const row = page.locator(`[data-seq="${seen.seq}"]`);
    const moved = async () => Math.abs((await row.evaluate((r) => r.getBoundingClientRect().top)) - seen.top);
    const height = () => page.getByRole("log").evaluate((box) => box.scrollHeight);
    const before = await height();
    gate.resolve();
    await until(async () => (await height()) > before + 1_000);
    expect(await moved()).toBeLessThan(3);
    for (let i = 0; i < 30; i++) session.emit({ type: "notice", code: "N", message: `new ${i}`, facts: {} });
    session.emit({ type: "session_status", state: "stalled" });
    await page.getByRole("main").getByText("No output for a while").waitFor();
    expect(await moved()).toBeLessThan(3);
  });

  test("a link to an event opens the transcript around it, and the latest is one click away", async () => {
    await using visited = await longSession(1500, "?at=302");
    const { page, log, session } = visited;
    await page.getByText("line 299 of many").waitFor();
    const target = page.locator('[data-seq="302"]');
    await target.waitFor();
    expect(await target.evaluate((row) => row.classList.contains("arrived"))).toBe(true);
    const isSeen = () =>
      target.evaluate((row) => {
        const box = row.closest("[role=log]")?.getBoundingClientRect();
        const { top, bottom } = row.getBoundingClientRect();
        return box !== undefined && top >= box.top && bottom <= box.bottom;
      });
    await expect.poll(isSeen).toBe(true);
    session.emit({ type: "notice", code: "N", message: "news while reading", facts: {} });
    await button(page, "Jump to latest").click();
    await page.getByText("news while reading").waitFor();
    const distance = () => log.evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight);
    await expect.poll(distance).toBeLessThan(2);
    session.emit({ type: "notice", code: "N", message: "and more", facts: {} });
    await page.getByText("and more").waitFor();
    await expect.poll(distance).toBeLessThan(2);
  });

  test("find scrolls to the match itself, in an item of any length, and returns the focus to the composer", async () => {
    await using visited = await longSession(3);
    const { page, session, log } = visited;
    const lines = Array.from({ length: 300 }, (_, i) => (i === 150 ? "the needle in it" : `hay ${i}`));
    session.say(lines.join("\n\n"));
    await page.getByText("hay 299").waitFor();
    await page.getByLabel("Message").focus();
    await page.keyboard.press("Control+f");
    await page.keyboard.type("NEEDLE");
    const distance = () =>
      log.evaluate((box) => {
        const [range] = [...(CSS.highlights.get("found") ?? [])] as Range[];
        const [words, seen] = [range?.getBoundingClientRect(), box.getBoundingClientRect()];
        return words && words.top >= seen.top && words.bottom <= seen.bottom ? "in sight" : "out of sight";
      });
    await expect.poll(distance).toBe("in sight");
    await page.keyboard.press("Escape");
    await expect
      .poll(() => page.getByLabel("Message").evaluate((one) => one === document.activeElement))
      .toBe(true);
  });

  test("find searches the loaded items first, then the others page by page", async () => {
    await using visited = await longSession(900);
    const { page } = visited;
    await page.getByText("line 899 of many").waitFor();
    await page.keyboard.press("Control+f");
    const field = page.getByRole("textbox", { name: "Find in transcript" });
    await field.fill("line 898 of");
    await page.getByText("1 of 1+").waitFor();
    await expect.poll(() => page.evaluate(() => CSS.highlights.get("found")?.size)).toBe(1);
    await field.fill("line 17 of");
    await page.getByText("Press Enter to search older messages").waitFor();
    await field.press("Enter");
    await page.getByText("line 17 of many").waitFor();
    await page.getByText("1 of 1").waitFor();
    await field.press("Enter");
    await page.getByText("No older match").waitFor();
    await field.press("Escape");
    await expect.poll(() => page.evaluate(() => CSS.highlights.has("found"))).toBe(false);
  });

  test("streaming text keeps its rendered blocks, is highlighted, and never moves what is above", async () => {
    await using visited = await longSession(1);
    const { page, session, complaints } = visited;
    const itemId = session.say("# First\n\nA paragraph that is done.\n\n```ts\nconst one = 1;\n");
    await page.locator(".code-keyword").first().waitFor();
    await page.locator(".markdown h1").evaluate((heading) => heading.setAttribute("data-kept", "yes"));
    await page.evaluate(() => {
      const box = document.querySelector("[role=log]");
      const heights: number[] = [];
      Object.assign(window, { heights });
      new ResizeObserver(() => heights.push(box?.scrollHeight ?? 0)).observe(
        box?.firstElementChild as Element,
      );
    });
    for (let i = 0; i < 40; i++) session.say(`const value${i} = "${i}"; // said\n`, itemId);
    session.say("```\n\nThe **end** of it.\n", itemId);
    await page.getByText("The end of it.").waitFor();
    expect(await page.locator(".markdown h1").getAttribute("data-kept")).toBe("yes");
    await expect.poll(() => page.locator(".code-comment").count()).toBe(40);
    const code = await page.locator(".markdown pre").innerText();
    expect(code.split("\n")).toHaveLength(41);
    const shrank = await page.evaluate(() => {
      const { heights } = window as unknown as { heights: number[] };
      return heights.some((height, index) => height < (heights[index - 1] ?? 0) - 1);
    });
    expect(shrank).toBe(false);
    expect(complaints).toEqual([]);
  });

  test("an item can be copied without a clipboard API, and a failed copy says so", async () => {
    await using visited = await longSession(1);
    const { page, session } = visited;
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    session.say("**hello** there");
    const item = page.locator(".item").last();
    await item.getByText("hello").waitFor();
    // As on a page from another machine on the network, which is no secure context.
    await page.evaluate(() => {
      const { clipboard } = navigator;
      Object.assign(window, { clipboard });
      Object.defineProperty(navigator, "clipboard", { value: undefined });
    });
    await item.hover();
    await press(item, "Copy", "Copied");
    const copied = () =>
      page.evaluate(() => (window as unknown as { clipboard: Clipboard }).clipboard.readText());
    expect(await copied()).toBe("**hello** there");
    await page.evaluate(() => {
      document.execCommand = () => false;
    });
    await press(item, "Copy", "Couldn't copy");
    expect(visited.complaints).toEqual([]);
  });

  test("an item is copied as text, its link as an address", async () => {
    await using visited = await longSession(1);
    const { page, session, server } = visited;
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    session.say("**hello** there");
    const item = page.locator(".item", { hasText: "hello there" });
    await item.hover();
    await press(item, "Copy", "Copied");
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("**hello** there");
    await item.getByRole("button", { name: "Copy link" }).click();
    const seq = await item.getAttribute("data-seq");
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()))
      .toBe(`${server.url}/#/s/brave-otter?at=${seq}`);
  });
});
