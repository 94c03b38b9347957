// Where a review is found: the inbox, the list of sessions, the palette; and what else can be done with the work.
import { reject } from "@drover/core";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { findChromium } from "../../../test/kit/programs.ts";
import { seriousFindings } from "./axe.ts";
import { FixtureSession } from "./fixture/session.ts";
import { lookFindings } from "./look.ts";
import { openReview } from "./review-scenes.ts";
import { recordNotifications, shownOn } from "./scenes.ts";
import { sharedBrowser } from "./shared-browser.ts";
import { button } from "./visit.ts";

const head = (page: Page) => page.getByRole("region", { name: "Review", exact: true });
const choose = async (page: Page, entry: string) => {
  await button(page, "More review actions").click();
  await page.getByRole("menuitem", { name: entry }).click();
};

describe.skipIf(!findChromium())("work to review (needs chromium)", () => {
  const browser = sharedBrowser();

  test("is in the inbox below requests, in the list and in the palette, until it is decided", async () => {
    await using visited = await openReview(browser);
    const { page, server } = visited;
    const asking = server.add(new FixtureSession({ name: "asks" }));
    asking.begin("go");
    asking.ask("c1", { toolKind: "execute", input: { command: "npm test" } });
    await page.goto(`${server.url}/#/inbox`);
    const entry = page.getByRole("link", { name: /^Translate the numbers 2 files \+4 −3/ });
    await entry.waitFor();
    const [request, review] = [
      await page.locator("[data-interaction]").boundingBox(),
      await entry.boundingBox(),
    ];
    expect(request?.y).toBeLessThan(review?.y ?? 0);
    await page.getByRole("heading", { name: "Inbox · 1 waiting" }).waitFor();
    await page.getByRole("navigation").getByText("Review", { exact: true }).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    expect(await lookFindings(page)).toEqual([]);
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.hasAttribute("data-review")))
      .toBe(true);
    await page.keyboard.press("o");
    await head(page).getByText("Ready for review").waitFor();

    await page.goto(`${server.url}/#/`);
    await page.keyboard.press("Control+k");
    await page.keyboard.type("review translate");
    await page.keyboard.press("Enter");
    await head(page).getByText("Ready for review").waitFor();
    await page.getByText("Ready for review · Demo").waitFor();
    await button(page, "Accept").click();
    await page.getByText("Accepted · Demo").waitFor();
    await page.goto(`${server.url}/#/inbox`);
    await page.getByText("npm test").first().waitFor();
    await page.getByRole("navigation").getByText("Accepted", { exact: true }).waitFor();
    expect(await page.getByText("Ready for review").count()).toBe(0);
  });

  test("is announced by a notification, unless that kind is turned off", async () => {
    await using visited = await openReview(browser);
    const { page, server, session, tree } = visited;
    await recordNotifications(page);
    await page.goto(`${server.url}/#/settings`);
    await page.reload();
    await page.getByRole("link", { name: /Translate the numbers/ }).waitFor();
    const work = (text: string) => {
      session.begin("More");
      tree.write({ "b.txt": text });
      session.end();
    };
    work("more\n");
    const ready = "Demo's work is ready for review | fox: Translate the numbers";
    await expect.poll(() => shownOn(page)).toContain(ready);
    await page.getByLabel("Work is ready for review").uncheck();
    work("even more\n");
    // Notifications come in order.
    session.begin("Ask");
    session.ask("c1", { toolKind: "execute", input: { command: "npm test" } });
    await expect.poll(async () => (await shownOn(page)).length).toBe(2);
    expect((await shownOn(page)).filter((text) => text === ready)).toHaveLength(1);
  });

  test("is rejected after a question, pushed, or opened as a pull request", async () => {
    await using visited = await openReview(browser);
    const { page, server, complaints } = visited;
    await page.goto(`${server.url}/#/s/fox/review`);
    await choose(page, "Open pull request…");
    const dialog = page.getByRole("dialog", { name: "Open a pull request" });
    expect(await dialog.getByLabel("Title").inputValue()).toBe("Translate the numbers");
    expect(await seriousFindings(page)).toEqual([]);
    const { onPush } = server.git;
    server.git.onPush = reject("UNSUPPORTED", "The remote refused the push: `main` is protected");
    await button(page, "Push and open").click();
    await dialog.getByText("The remote refused the push: main is protected").waitFor();
    server.git.onPush = { ok: true, value: { isOpened: false, url: "https://git.example.test/new" } };
    await dialog.getByLabel("Description").fill("Numbers in German");
    await button(page, "Push and open").click();
    const link = page.getByRole("dialog", { name: "Branch pushed" }).getByRole("link");
    expect(await link.getAttribute("href")).toBe("https://git.example.test/new");
    await button(page, "Done").click();
    server.git.onPush = onPush;
    await choose(page, "Open pull request…");
    await button(page, "Push and open").click();
    const opened = head(page).getByRole("link", { name: "Pull request" });
    expect(await opened.getAttribute("href")).toBe("https://git.example.test/pulls/7");
    expect(server.git.pushes.slice(1)).toEqual([
      { title: "Translate the numbers", body: "Numbers in German" },
      { title: "Translate the numbers" },
    ]);

    await choose(page, "Reject…");
    await page.getByText("Nothing is deleted").waitFor();
    await button(page, "Reject").click();
    await head(page).getByText("Rejected").waitFor();
    await button(page, "More review actions").click();
    expect(await page.getByRole("menuitem", { name: "Reject…" }).count()).toBe(0);
    expect(complaints.filter((text) => !text.includes("400"))).toEqual([]);
  });

  test("is of sessions in worktrees only, and many commits are folded", async () => {
    await using visited = await openReview(browser);
    const { page, server, tree, session } = visited;
    for (let at = 0; at < 5; at++) {
      tree.write({ "c.txt": `${at}\n` });
      tree.commitFiles(["c.txt"], `Count to ${at}`);
    }
    session.begin("More");
    session.end();
    await page.goto(`${server.url}/#/s/fox/review`);
    const commits = page.getByRole("list", { name: "Commits" }).getByRole("listitem");
    await commits.getByText("Count to 4").waitFor();
    expect(await commits.count()).toBe(3);
    await button(page, "Show all 6 commits").click();
    await commits.getByText("Add a note").waitFor();
    server.add(new FixtureSession({ name: "local" }));
    await page.goto(`${server.url}/#/s/local/review`);
    await page.getByText("This session works in your own directory.").waitFor();
    expect(await page.getByRole("link", { name: "Review", exact: true }).count()).toBe(0);
  });

  test("V2 is commented on, sent back, accepted and merged on a phone", async () => {
    await using visited = await openReview(browser);
    const { page, server, session, tree, repository } = visited;
    await page.setViewportSize({ width: 390, height: 780 });
    await page.goto(`${server.url}/#/inbox`);
    await page.getByRole("link", { name: /^Translate the numbers/ }).click();
    await head(page).getByText("Ready for review").waitFor();
    await page.getByText("0 of 2 viewed").waitFor();
    const file = page.getByRole("region", { name: "a.txt", exact: true });
    await file.getByRole("button", { name: "Comment on line 2", exact: true }).click();
    await page.getByRole("textbox", { name: "Comment on line 2" }).fill("In English");
    await button(page, "Save").click();
    expect(await tooSmall(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    await button(page, "Request changes (1)").click();
    await button(page, "Request changes").click();
    await head(page).getByText("Changes requested").waitFor();
    tree.write({ "a.txt": "one\nTwo\n" });
    session.end();
    await head(page).getByText("Ready for review").waitFor();
    await page.getByRole("checkbox", { name: "Viewed a.txt" }).check();
    await page.getByText("1 of 2 viewed").waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await button(page, "Accept").click();
    await page.locator("button[aria-disabled=false]", { hasText: "Merge…" }).click();
    await page.getByText("No conflicts.").waitFor();
    expect(await tooSmall(page)).toEqual([]);
    await button(page, "Merge").click();
    await page.getByText("Merged into main", { exact: true }).waitFor();
    expect(repository.head["a.txt"]).toBe("one\nTwo\n");
  });
});

/** Targets smaller than a fingertip, except the numbers of lines. */
const tooSmall = (page: Page) =>
  page.evaluate(() =>
    [
      ...document.querySelectorAll<HTMLElement>(
        "main button:not([data-row]), main select, main input, dialog button, dialog input",
      ),
    ]
      .map((element) => ({ element, box: (element.closest("label") ?? element).getBoundingClientRect() }))
      .filter(({ box }) => box.width > 1 && (box.width < 39.5 || box.height < 39.5))
      .map(({ element }) => element.getAttribute("aria-label") ?? element.textContent?.trim()),
  );
