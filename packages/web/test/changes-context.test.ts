import type { Locator, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { findChromium } from "../../../test/kit/programs.ts";
import { until } from "../../../test/kit/until.ts";
import { seriousFindings } from "./axe.ts";
import { git, newSession, repositoryWith, sharedServer, write } from "./real-visit.ts";
import { sharedBrowser } from "./shared-browser.ts";

const numbered = (count: number) => Array.from({ length: count }, (_, i) => `line ${i + 1}`);
const text = (lines: readonly string[]) => `${lines.join("\n")}\n`;

describe.skipIf(!findChromium())("the lines around a change (needs chromium)", () => {
  const visitShared = sharedServer(sharedBrowser());

  /** A file of 200 lines, of which lines 50 and 120 are changed. */
  async function open() {
    const visit = await visitShared();
    const { page, server, work } = visit;
    const lines = numbered(200);
    await repositoryWith(work, { "a.txt": text(lines), ".gitignore": ".drover\n" });
    await write(work, { "a.txt": text(lines.with(49, "fifty").with(119, "hundred and twenty")) });
    const session = await newSession(visit, { permissionMode: "never" });
    await page.goto(`${server.url}/#/s/${session.name}/changes`);
    await page.getByText("Lines 47–53").waitFor();
    return { ...visit, session };
  }

  const line = (page: Page, number: number) => page.getByText(`line ${number}`, { exact: true });
  const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
  const focused = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute("aria-label"));

  /** Scrolls to the end until this is rendered: lines out of view are not. */
  const scrollTo = (page: Page, target: Locator) =>
    until(async () => {
      await page.getByRole("region", { name: "Diff" }).press("End");
      return (await target.count()) > 0;
    });

  test("are revealed a few at a time from either side, or all at once", async () => {
    await using visit = await open();
    const { page, complaints } = visit;
    await page.getByText("Lines 117–123").waitFor();
    const headings = await page.locator("main").getByRole("heading").all();
    const tags = await Promise.all(headings.map((each) => each.evaluate(({ tagName }) => tagName)));
    expect(tags).toEqual(["H1", "H2"]);
    await button(page, "Show 20 lines above line 47").click();
    await line(page, 27).waitFor();
    await page.getByText("Lines 27–53").waitFor();
    expect(await line(page, 26).count()).toBe(0);

    await button(page, "Show 20 lines below line 53").click();
    await line(page, 73).waitFor();
    await button(page, "Show all 43 hidden lines").click();
    await line(page, 100).waitFor();
    // Nothing is hidden between the two hunks any more; each can still be discarded on its own.
    await button(page, "Discard lines 117–123 of a.txt").waitFor();
    expect(await page.getByRole("button", { name: "Show all 43 hidden lines" }).count()).toBe(0);
    await scrollTo(page, button(page, "Show 20 lines below line 123"));
    await button(page, "Show 20 lines below line 123").click();
    await scrollTo(page, button(page, "Show all 57 hidden lines"));
    await button(page, "Show all 57 hidden lines").click();
    await scrollTo(page, line(page, 200));
    expect(await seriousFindings(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test("can be revealed with the keyboard, which keeps its place", async () => {
    await using visit = await open();
    const { page } = visit;
    await button(page, "Show 20 lines above line 47").focus();
    await page.keyboard.press("Enter");
    await line(page, 27).waitFor();
    expect(await focused(page)).toBe("Show 20 lines above line 27");
    await page.keyboard.press("Enter");
    await line(page, 7).waitFor();
    // A click reveals more lines than remain, so another button replaces this one.
    await button(page, "Show 6 hidden lines").focus();
    await page.keyboard.press("Enter");
    await line(page, 1).waitFor();
    await until(async () => (await focused(page)) === "Comment on line 1", { what: "line 1 has the focus" });
  });

  test("accept comments, stay revealed after the next turn, and are hidden again by a commit", async () => {
    await using visit = await open();
    const { page, client, session, work } = visit;
    await button(page, "Show 20 lines above line 47").click();
    await button(page, "Comment on line 40").first().click();
    await page.getByRole("textbox", { name: "Comment on line 40" }).fill("Why?");
    await button(page, "Save").click();
    await button(page, "Show all 26 hidden lines").click();
    await line(page, 2).waitFor();
    const comment = page.getByRole("article", { name: "Comment on line 40" });
    const isBelow = async (number: number) => {
      const [box, own] = [await comment.boundingBox(), await line(page, number).boundingBox()];
      return box !== null && own !== null && box.y >= own.y + own.height && box.y < own.y + own.height + 20;
    };
    await until(() => isBelow(40), { what: "the comment is below line 40" });
    expect(await comment.getByText("no longer in the diff").count()).toBe(0);

    await client.post(`/api/sessions/${session.id}/messages`, { content: "write other.txt hello" });
    await page.getByText("2 files").waitFor();
    await line(page, 2).waitFor();
    await until(() => isBelow(40), { what: "the comment is below line 40" });

    await git(work, "commit", "-q", "--allow-empty", "-m", "second");
    await button(page, "Refresh").click();
    await line(page, 2).waitFor({ state: "detached" });
    await page.getByText("Lines 47–53").waitFor();
  });

  test("are revealed in the changes of the session, and stay revealed after the next turn", async () => {
    await using visit = await open();
    const { page, client, server, session, work } = visit;
    const send = (content: string) => client.post(`/api/sessions/${session.id}/messages`, { content });
    await send("write other.txt hello");
    await page.getByText("2 files").waitFor();
    await git(work, "commit", "-q", "-a", "-m", "second");
    await write(work, { "a.txt": text(numbered(200).with(49, "later").with(119, "hundred and twenty")) });
    await page.goto(`${server.url}/#/s/${session.name}/changes?against=base`);
    await button(page, "Show 20 lines above line 47").click();
    await line(page, 27).waitFor();
    await send("write third.txt hello");
    await page.getByText("3 files").waitFor();
    await page.getByText("Lines 27–53").waitFor();
    await line(page, 27).waitFor();
  });

  test("say why they cannot be shown", async () => {
    await using visit = await open();
    const { page, work } = visit;
    await git(work, "checkout", "-q", "a.txt");
    await button(page, "Show 20 lines above line 47").click();
    await page.getByRole("alert").getByText("a.txt has no changes").waitFor();
    await button(page, "Show 20 lines above line 47").waitFor();
  });

  test("are shown side by side, with both line numbers", async () => {
    await using visit = await open();
    const { page } = visit;
    await page.getByRole("button", { name: "Side by side" }).click();
    await button(page, "Show 20 lines above line 47").click();
    await until(async () => (await line(page, 27).count()) === 2, { what: "line 27 is on both sides" });
  });
});
