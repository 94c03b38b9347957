import { describe, expect, test } from "vitest";
import { findChromium } from "../../../test/kit/programs.ts";
import { seriousFindings } from "./axe.ts";
import { FixtureSession } from "./fixture/session.ts";
import { FixtureTree } from "./fixture/tree.ts";
import { sharedBrowser } from "./shared-browser.ts";
import { button, visit } from "./visit.ts";

const cwd = "/home/ada/engine";
const numbers = Array.from({ length: 40 }, (_, i) => `line ${i + 1}\n`);
const withLines = (changed: Record<number, string>) =>
  numbers.map((line, i) => (changed[i + 1] === undefined ? line : `${changed[i + 1]}\n`)).join("");

describe.skipIf(!findChromium())("uncommitted changes on the page (need chromium)", () => {
  const browser = sharedBrowser();

  test("are discarded file by file or hunk by hunk, restored, opened in an editor, and committed", async () => {
    await using visited = await visit(browser, "#/s/brave-otter/changes");
    const { page, server } = visited;
    const tree = new FixtureTree(cwd, "main", { "a.txt": withLines({}), "src/b.txt": "two\n" });
    server.git.trees.set(cwd, tree);
    const session = server.add(new FixtureSession({ name: "brave-otter" }));
    const now = { "a.txt": withLines({ 2: "zwei", 30: "dreißig" }), "src/b.txt": "zwei\n", "c.txt": "new\n" };
    session.begin("Translate");
    tree.write(now);
    session.end();
    const fileOf = (path: string) => page.getByRole("region", { name: path, exact: true });
    const a = fileOf("a.txt");

    await a.getByRole("button", { name: "Discard lines 27–33 of a.txt" }).click();
    await a.getByText("dreißig").waitFor({ state: "detached" });
    expect(tree.files["a.txt"]).toBe(withLines({ 2: "zwei" }));
    // One hunk is left, which is the whole change.
    expect(await a.getByRole("button", { name: /^Discard lines/ }).count()).toBe(0);
    await button(page, "Undo").click();
    await a.getByText("dreißig").waitFor();
    expect(tree.files).toEqual(now);

    await button(page, "Discard changes in c.txt").press("Enter");
    await fileOf("c.txt").waitFor({ state: "detached" });
    await page.getByText("Discarded changes in c.txt").waitFor();
    await page.keyboard.press("Control+z");
    await fileOf("c.txt").getByText("new").waitFor();
    expect(await seriousFindings(page)).toEqual([]);

    // Someone changes the hunk's lines before the page knows.
    tree.write({ "a.txt": withLines({ 2: "two", 30: "dreißig" }) });
    await a.getByRole("button", { name: "Discard lines 1–5 of a.txt" }).click();
    await page.getByRole("alert").getByText("no longer applies").waitFor();
    await a.getByText("two", { exact: true }).waitFor();

    const open = fileOf("src/b.txt").getByRole("link", { name: "Open in VS Code" });
    expect(await open.getAttribute("href")).toBe(`vscode://file${cwd}/src/b.txt:1`);
    const openA = a.getByRole("link", { name: "Open in VS Code" });
    expect(await openA.getAttribute("href")).toBe(`vscode://file${cwd}/a.txt:2`);
    await page.goto(`${server.url}/#/settings`);
    await page.getByText("Zed", { exact: true }).click();
    await page.goto(`${server.url}/#/s/brave-otter/changes`);
    const zed = fileOf("src/b.txt").getByRole("link", { name: "Open in Zed" });
    expect(await zed.getAttribute("href")).toBe(`zed://file${cwd}/src/b.txt:1`);
    await page.goto(`${server.url}/#/settings`);
    await page.getByText("$EDITOR", { exact: true }).click();
    await page.goto(`${server.url}/#/s/brave-otter/changes`);
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await a.getByRole("button", { name: "Copy the command that opens it in $EDITOR" }).click();
    await a.getByRole("button", { name: "Copied" }).waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toBe(`\${EDITOR:-vi} +2 ${cwd}/a.txt`);

    await button(page, "Commit…").click();
    await page.getByRole("dialog", { name: "Commit to main" }).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByLabel("Message").fill("Translate");
    await page.getByRole("checkbox", { name: /c\.txt/ }).uncheck();
    await button(page, "Commit 2 files").click();
    await page.getByText(/^Committed \d{7}$/).waitFor();
    await a.waitFor({ state: "detached" });
    expect(tree.dirty).toEqual(["c.txt"]);

    session.begin("More");
    const discard = button(page, "Discard changes in c.txt");
    await expect.poll(() => discard.getAttribute("aria-disabled")).toBe("true");
    await discard.press("Enter");
    expect(await button(page, "Commit…").isDisabled()).toBe(true);
    expect(tree.dirty).toEqual(["c.txt"]);
  });

  test("of one turn are undone file by file, after a warning where a file has changed since", async () => {
    await using visited = await visit(browser, "#/s/brave-otter");
    const { page, server } = visited;
    const tree = new FixtureTree(cwd, "main", { "a.txt": "one\n", "b.txt": "two\n" });
    server.git.trees.set(cwd, tree);
    const session = server.add(new FixtureSession({ name: "brave-otter" }));
    session.begin("Translate");
    tree.write({ "a.txt": "eins\n", "b.txt": "zwei\n" });
    session.end();
    await page.getByRole("link", { name: /^2 files/ }).click();
    await button(page, "Undo changes in a.txt").click();
    await page.getByText("Undid changes in a.txt").waitFor();
    expect(tree.files).toEqual({ "a.txt": "one\n", "b.txt": "zwei\n" });

    tree.write({ "b.txt": "by hand\n" });
    await button(page, "Undo changes in b.txt").click();
    await page.getByRole("alert").getByText("b.txt").waitFor();
    expect(tree.files["b.txt"]).toBe("by hand\n");
    await button(page, "Undo anyway").click();
    await page.getByText("Undid changes in b.txt").waitFor();
    expect(tree.files["b.txt"]).toBe("two\n");
    await page.getByRole("link", { name: "Conversation" }).click();
    await expect.poll(() => page.getByRole("main").innerText()).toMatch(/Undid 1 file.*Undid 1 file/s);

    // A worktree that is gone is made again by resuming the session.
    session.details = {
      workspace: {
        mode: "worktree",
        path: cwd,
        projectDir: cwd,
        branch: "drover/brave-otter",
        confined: false,
      },
    };
    session.begin("More");
    const message = "The worktree is gone; resume the session to make it again";
    session.emit({ type: "error", code: "WORKSPACE_MISSING", message, retry: "never" });
    session.end({ reason: "error", ok: false });
    await button(page, "Resume").click();
    await button(page, "Resume").waitFor({ state: "detached" });
    expect(session.log.at(-1)).toMatchObject({ type: "session_status", state: "idle" });
  });
});
