// The Review tab: work of a session in a worktree is looked through, sent back, accepted and merged.
import type { Locator, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { findChromium } from "../../../test/kit/programs.ts";
import { seriousFindings } from "./axe.ts";
import { lookFindings } from "./look.ts";
import { openReview, upstream } from "./review-scenes.ts";
import { sharedBrowser } from "./shared-browser.ts";
import { button, pressInOneGo } from "./visit.ts";

const fileOf = (page: Page, path: string): Locator => page.getByRole("region", { name: path, exact: true });
const head = (page: Page) => page.getByRole("region", { name: "Review", exact: true });
const focused = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute("aria-label"));
const toast = (page: Page, text: string | RegExp) => page.getByRole("status").getByText(text).waitFor();

describe.skipIf(!findChromium())("a review on the page (needs chromium)", () => {
  const browser = sharedBrowser();

  test("V2 work is commented on, sent back, accepted and merged with the keyboard alone", async () => {
    await using visited = await openReview(browser);
    const { page, server, session, repository, complaints } = visited;
    await page.goto(`${server.url}/#/s/fox`);
    await page.getByRole("heading", { name: "Translate the numbers" }).waitFor();
    await pressInOneGo(page, "g", "r");
    await head(page).getByText("Ready for review").waitFor();
    await head(page).getByText("into main").waitFor();
    await head(page).getByText("2 ahead, 0 behind").waitFor();
    await head(page).getByText("Add a note").waitFor();
    await fileOf(page, "a.txt").getByText("zwei", { exact: true }).waitFor();

    // The first added line, and three more.
    await page.keyboard.press("l");
    expect(await focused(page)).toBe("Comment on removed line 2");
    for (let step = 0; step < 3; step++) await page.keyboard.press("ArrowDown");
    for (let step = 0; step < 3; step++) await page.keyboard.press("Shift+ArrowDown");
    await page.keyboard.press("Enter");
    await page.keyboard.type("In English, please");
    await page.keyboard.press("Control+Enter");
    const comment = page.getByRole("article", { name: "Comment on lines 2 to 5" });
    await comment.getByText("In English, please").waitFor();
    expect(await focused(page)).toBe("Comment on line 5");

    await button(page, "Request changes (1)").focus();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "Request changes" }).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    expect(await lookFindings(page)).toEqual([]);
    await page.keyboard.type("Almost there.");
    await page.reload();
    await button(page, "Request changes (1)").press("Enter");
    await expect.poll(() => page.getByLabel("Summary").inputValue()).toBe("Almost there.");
    await page.keyboard.press("Control+Enter");
    await toast(page, "Sent to Demo");
    await head(page).getByText("Changes requested").waitFor();
    expect(visited.prompts).toEqual([
      "Almost there.\n\na.txt:2-5\n> zwei\n> drei\n> vier\n> five\n\nIn English, please",
    ]);
    expect(await comment.count()).toBe(0);

    visited.tree.write({ "a.txt": "one\nTwo\nthree\nfour\nfive\nsix\n" });
    session.end();
    await head(page).getByText("Ready for review").waitFor();
    await button(page, "Accept").press("Enter");
    await head(page).getByText("Accepted").waitFor();
    // The button that was pressed is the next step.
    await button(page, "Merge…").and(page.locator(":focus[aria-disabled=false]")).press("Enter");
    await page.getByText("Brings 2 commits into main. No conflicts.").waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    expect(await lookFindings(page)).toEqual([]);
    await page.getByRole("radio", { name: "Merge commit" }).focus();
    await page.keyboard.press("ArrowRight");
    await page.getByText("Makes one commit of everything.").waitFor();
    await page.getByLabel("Message").press("Tab");
    await button(page, "Merge").press("Enter");
    await toast(page, /^Merged into main as \d{7}$/);
    await page.getByText("What Demo does next starts from there.").waitFor();
    expect(repository.head["b.txt"]).toBe("note\n");
    expect(repository.log.at(-1)?.subject).toBe("Merge");
    expect(await head(page).getByRole("button").count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  test("a tick marks a file as viewed and folds it, until its change is another one", async () => {
    await using visited = await openReview(browser);
    const { page, server, session, tree } = visited;
    const viewed = (path: string) => page.getByRole("checkbox", { name: `Viewed ${path}` });
    const lines = (path: string) => fileOf(page, path).getByRole("button", { name: /^Comment on/ });
    await page.goto(`${server.url}/#/s/fox/review`);
    await page.getByText("0 of 2 viewed").waitFor();
    await viewed("a.txt").check();
    await page.getByText("1 of 2 viewed").waitFor();
    await expect.poll(() => lines("a.txt").count()).toBe(0);
    await fileOf(page, "b.txt").getByText("note").waitFor();
    // The current file can be ticked with a key too.
    await page.keyboard.press("j");
    await expect.poll(() => page.locator("nav [aria-current=true]").getAttribute("title")).toBe("b.txt");
    await page.keyboard.press("v");
    await page.getByText("2 of 2 viewed").waitFor();
    expect(await seriousFindings(page)).toEqual([]);

    await page.reload();
    await page.getByText("2 of 2 viewed").waitFor();
    expect(await lines("b.txt").count()).toBe(0);
    // Lines that move are no other change. As many other lines are.
    session.begin("Again");
    tree.write({ "b.txt": "Note\n" });
    session.end();
    await page.getByText("1 of 2 viewed").waitFor();
    expect(await viewed("b.txt").isChecked()).toBe(false);
    expect(await viewed("a.txt").isChecked()).toBe(true);
    await fileOf(page, "b.txt").getByText("Note").waitFor();
    // A viewed file can be looked at again.
    await button(page, "Expand a.txt").click();
    await lines("a.txt").first().waitFor();
    expect(await viewed("a.txt").isChecked()).toBe(true);
    await viewed("a.txt").uncheck();
    await page.getByText("0 of 2 viewed").waitFor();
  });

  test("a comment on several lines is made by dragging or with Shift, in one column or two", async () => {
    await using visited = await openReview(browser);
    const { page, server } = visited;
    await page.goto(`${server.url}/#/s/fox/review`);
    const file = fileOf(page, "a.txt");
    const number = (line: number) =>
      file.getByRole("button", { name: `Comment on line ${line}`, exact: true });
    const field = (words: string) => page.getByRole("textbox", { name: `Comment on ${words}` });
    await number(3).last().hover();
    await page.mouse.down();
    await file.getByText("zwei", { exact: true }).hover();
    await page.mouse.up();
    await field("lines 2 to 3").fill("Dragged up");
    await button(page, "Save").click();
    await page.getByText("Lines 2 to 3").waitFor();

    await page.getByRole("button", { name: "Side by side" }).click();
    await file.getByRole("button", { name: "Comment on removed line 3" }).click();
    await field("line 3").waitFor();
    await file.getByRole("button", { name: "Comment on removed line 4" }).click({ modifiers: ["Shift"] });
    // The comment that was only begun becomes this one.
    await field("lines 3 to 4").fill("Both are gone");
    expect(await page.getByRole("article").count()).toBe(2);
    await button(page, "Request changes (2)").click();
    await button(page, "Request changes").click();
    await toast(page, "Sent to Demo");
    expect(visited.prompts).toEqual([
      [
        "Please make these changes:",
        "a.txt:2-3\n> zwei\n> drei\n\nDragged up",
        "a.txt:3-4 (removed)\n> three\n> four\n\nBoth are gone",
      ].join("\n\n"),
    ]);
  });

  test("V3 V4 a conflict is shown with its next step, and files in the way are named", async () => {
    await using visited = await openReview(browser);
    const { page, server, session, repository, tree } = visited;
    await page.goto(`${server.url}/#/s/fox/review`);
    await upstream(visited, { "a.txt": "ONE\ntwo\nthree\nfour\nfive\nsix\n" });
    await head(page).getByText("These files conflict with main:").waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await button(page, "More review actions").click();
    await page.getByRole("menuitem", { name: "Merge…" }).click();
    const dialog = page.getByRole("dialog", { name: "Merge drover/fox" });
    await dialog.getByText("These files conflict with main:").waitFor();
    expect(await button(page, "Merge").isDisabled()).toBe(true);
    expect(await seriousFindings(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Update and ask Demo to resolve" }).click();
    await toast(page, "Updated from main. Demo was asked to resolve the conflicts");
    expect(visited.prompts.at(-1)).toContain("Resolve the conflicts");
    tree.write({ "a.txt": "ONE\nzwei\n" });
    session.end();
    await head(page).getByText("2 ahead, 0 behind").waitFor({ state: "detached" });
    await expect.poll(() => page.getByText("These files conflict").count()).toBe(0);

    repository.write({ "b.txt": "mine\n" });
    await button(page, "Accept").click();
    await button(page, "Merge…").click();
    await dialog.getByText(`main is checked out in ${repository.path}`).waitFor();
    expect(await button(page, "Merge").isDisabled()).toBe(true);
    repository.files = repository.head;
    await dialog.getByRole("button", { name: "Check again" }).click();
    await dialog.getByText("No conflicts.").waitFor();
    // A branch that is not there.
    await dialog.getByLabel("Into").fill("nowhere");
    await page.keyboard.press("Tab");
    await dialog.getByText('There is no branch "nowhere"').waitFor();
    await dialog.getByLabel("Into").fill("main");
    await page.keyboard.press("Tab");
    await button(page, "Merge").click();
    await toast(page, /^Merged into main/);
  });

  test("V6 a merge waits for the project's checks, and shows what a failed one printed", async () => {
    await using visited = await openReview(browser, { checks: [["npm", "test"]] });
    const { page, server, session } = visited;
    const checks = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let ran = 0;
    server.git.onCheck = async () => {
      const at = ran++;
      await checks[at]?.promise;
      return { isOk: at > 0, tail: "1 test failed" };
    };
    await page.goto(`${server.url}/#/s/fox/review`);
    await button(page, "Accept").click();
    await button(page, "Merge…").click();
    await page.getByText("Checked first: npm test").waitFor();
    await button(page, "Merge").click();
    await toast(page, "In line to merge into main");
    await head(page).getByText("Waiting for checks: npm test").waitFor();
    expect(await button(page, "Merge…").count()).toBe(0);
    expect(await button(page, "Accept").getAttribute("aria-disabled")).toBe("true");
    checks[0]?.resolve();
    await head(page).getByText("Changes requested").waitFor();
    await head(page).getByText("Check failed: npm test · It exited with 1").click();
    await head(page).getByText("1 test failed").waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    session.end();
    await expect.poll(() => button(page, "Accept").getAttribute("aria-disabled")).toBe("false");
    await button(page, "Accept").click();
    await button(page, "Merge…").click();
    await button(page, "Merge").click();
    checks[1]?.resolve();
    await head(page).getByText("Merged", { exact: true }).waitFor();
    await head(page).getByText("Checks passed").waitFor();
  });
});
