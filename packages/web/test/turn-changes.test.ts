import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { findChromium } from "../../../test/kit/programs.ts";
import { seriousFindings } from "./axe.ts";
import type { FixtureServer } from "./fixture/server.ts";
import { FixtureSession } from "./fixture/session.ts";
import { type Files, FixtureTree } from "./fixture/tree.ts";
import { seenIn } from "./seen.ts";
import { sharedBrowser } from "./shared-browser.ts";
import { button, visit } from "./visit.ts";

const cwd = "/home/ada/engine";

/** A session in a repository with these files. */
function openRepository(server: FixtureServer, files: Files) {
  const tree = new FixtureTree(cwd, "main", files);
  server.git.trees.set(cwd, tree);
  const session = server.add(new FixtureSession({ name: "brave-otter" }));
  const turn = (prompt: string, news: Files) => {
    session.begin(prompt);
    tree.write(news);
    session.say(`Done: ${prompt}`);
    session.end();
  };
  return { tree, session, turn };
}

const row = (page: Page, words: string | RegExp) =>
  page.locator(".item", { has: page.getByRole("link", { name: words }) });
const fileOf = (page: Page, path: string) => page.getByRole("region", { name: path, exact: true });
const menu = (page: Page) => page.getByRole("combobox", { name: "Changes to show" });
const numbers = Array.from({ length: 40 }, (_, i) => `line ${i + 1}\n`);
const withLines = (changed: Record<number, string>) =>
  numbers.map((line, i) => (changed[i + 1] === undefined ? line : `${changed[i + 1]}\n`)).join("");

describe.skipIf(!findChromium())("the changes of a turn (needs chromium)", () => {
  const browser = sharedBrowser();

  test("are undone and redone in the transcript, and what would be lost is shown first", async () => {
    await using visited = await visit(browser);
    const { page, server, complaints } = visited;
    const { tree, session, turn } = openRepository(server, { "a.txt": "one\n", "b.txt": "two\n" });
    await page.goto(`${server.url}/#/s/brave-otter`);
    turn("Count to three", { "a.txt": "one\ntwo\nthree\n", "c.txt": "new\n" });
    const first = row(page, /^2 files \+3$/);
    await first.getByRole("button", { name: "Undo" }).click();
    await first.getByText("Undone").waitFor();
    expect(tree.files).toEqual({ "a.txt": "one\n", "b.txt": "two\n" });
    await row(page, /^Undid 2 files −3$/).waitFor();
    await first.getByRole("button", { name: "Redo" }).press("Enter");
    await row(page, /^Redid 2 files \+3$/).waitFor();
    await first.getByText("Undone").waitFor({ state: "detached" });
    expect(tree.files["c.txt"]).toBe("new\n");
    expect(await seriousFindings(page)).toEqual([]);

    tree.write({ "a.txt": "changed by hand\n" });
    await first.getByRole("button", { name: "Undo" }).click();
    await first.getByRole("alert").getByText("a.txt").waitFor();
    expect(tree.files["c.txt"]).toBe("new\n");
    await button(page, "Undo anyway").click();
    await first.getByText("Undone").waitFor();
    expect(tree.files).toEqual({ "a.txt": "one\n", "b.txt": "two\n" });

    session.begin("Think");
    await expect.poll(() => first.getByRole("button").first().getAttribute("aria-disabled")).toBe("true");
    expect(complaints).toEqual([
      "Failed to load resource: the server responded with a status of 409 (Conflict)",
    ]);
  });

  test("are shown beside those of the session, under an address of their own, on a phone too", async () => {
    await using visited = await visit(browser, "#/s/brave-otter");
    const { page, server } = visited;
    const { tree, turn } = openRepository(server, { "a.txt": withLines({}) });
    turn("Change line 2", { "a.txt": withLines({ 2: "zwei" }) });
    tree.commitFiles(undefined);
    turn("Change line 30", { "a.txt": withLines({ 2: "zwei", 30: "dreißig" }) });
    await page
      .getByRole("link", { name: /^1 file/ })
      .first()
      .click();
    const file = fileOf(page, "a.txt");
    await file.getByText("zwei", { exact: true }).waitFor();
    expect(await file.getByText("dreißig").count()).toBe(0);
    expect(await menu(page).locator("option:checked").innerText()).toContain("Change line 2");
    await page.reload();
    await file.getByText("zwei", { exact: true }).waitFor();
    // Hidden lines are those of the turn, not of a later one.
    await button(page, "Show 20 lines below line 5").click();
    await button(page, "Show 15 hidden lines").click();
    await file.getByText("line 30", { exact: true }).waitFor();

    await menu(page).selectOption("Whole session");
    await file.getByText("dreißig").waitFor();
    await button(page, "Show all 21 hidden lines").click();
    await file.getByText("line 15", { exact: true }).waitFor();
    await file.getByText("zwei", { exact: true }).waitFor();
    expect(page.url()).toContain("against=base");
    await menu(page).selectOption("Uncommitted");
    await file.getByText("zwei", { exact: true }).waitFor({ state: "detached" });
    await page.goBack();
    await file.getByText("zwei", { exact: true }).waitFor();

    await page.goto(`${server.url}/#/s/brave-otter/changes?turn=trn_unknown`);
    await page.getByRole("alert").getByText("Can't load changes").waitFor();
    // On a phone, a menu replaces the list of files.
    await page.setViewportSize({ width: 390, height: 780 });
    tree.write({ "b.txt": `${"long ".repeat(60)}\n` });
    await menu(page).selectOption("Uncommitted");
    await file.getByText("dreißig").waitFor();
    await page.getByRole("combobox", { name: "Changed files" }).selectOption("b.txt");
    await fileOf(page, "b.txt").getByText("long long").waitFor();
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(overflow).toBe(0);
    expect(await seriousFindings(page)).toEqual([]);
  });

  test("V7 wait for approval with their whole diff, hidden characters spelled out", async () => {
    await using visited = await visit(browser);
    const { page, server, complaints } = visited;
    const { session, turn } = openRepository(server, { "a.txt": "one\n" });
    await page.goto(`${server.url}/#/s/brave-otter`);
    turn("Write a script", { "new.sh": "ls\n" });
    const head =
      "diff --git a/new.sh b/new.sh\nnew file mode 100755\n--- /dev/null\n+++ b/new.sh\n@@ -0,0 +1 @@\n";
    const input = { incomplete: "See `drover diff`", diff: `${head}+l\u202es\n`, before: "1", after: "2" };
    session.ask("int_1", { toolKind: "changes", scopes: ["once"], title: "1 file +1 −0", input });
    const card = page.locator("[data-interaction]");
    await card.waitFor();
    const { text, problems } = await seenIn(card);
    const words = [
      "wants to keep its changes",
      "new.sh",
      "new file mode 100755",
      "l⟨U+202E⟩s",
      "See `drover diff`",
    ];
    for (const each of words) expect(text).toContain(each);
    expect(problems).toEqual([]);
    expect(await seriousFindings(page)).toEqual([]);
    await card.getByRole("button", { name: "Deny with reason…" }).click();
    await card.getByLabel("Reason (the agent sees it)").fill("No scripts");
    await page.keyboard.press("Enter");
    await card.waitFor({ state: "detached" });
    expect(session.resolved).toMatchObject([{ resolution: "denied", reason: "No scripts" }]);
    expect(complaints).toEqual([]);
  });
});
