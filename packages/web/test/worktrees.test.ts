import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { findChromium } from "../../../test/kit/programs.ts";
import { seriousFindings } from "./axe.ts";
import { FixtureTree } from "./fixture/tree.ts";
import { sharedBrowser } from "./shared-browser.ts";
import { button, type Visit, visit } from "./visit.ts";

const cwd = "/home/ada/engine";

/** Opens the dialog for a new session in a directory. */
async function openDialog(page: Page, prompt: string): Promise<void> {
  await button(page, "New session").click();
  await page.getByLabel("Prompt").fill(prompt);
  await page.getByLabel("Working directory").fill(cwd);
}

async function startInWorktree({ page, server }: Visit, name: string): Promise<FixtureTree> {
  await openDialog(page, "Start");
  await page.getByText("A worktree of its own").click();
  await page.getByLabel("Branch").fill(name);
  await button(page, "Start").click();
  await page.getByText(`drover/${name} in a worktree of ${cwd}`).waitFor();
  const tree = server.git.trees.get(`${cwd}/.drover-worktrees/${name}`);
  if (!tree) throw new Error("There is no worktree");
  return tree;
}

describe.skipIf(!findChromium())("worktrees on the page (needs chromium)", () => {
  const browser = sharedBrowser();

  test("are offered in repositories, with the project's default, and refusals show the next step", async () => {
    await using visited = await visit(browser);
    const { page, server } = visited;
    await openDialog(page, "Fix the cart");
    await page.getByText("Asks before it edits").waitFor();
    expect(await page.getByText("Work in").count()).toBe(0);

    server.git.trees.set(cwd, new FixtureTree(cwd, "main", { "a.txt": "one\n" }));
    server.projects.push({
      ...{ id: "prj_engine", path: cwd, name: "Engine", trusted: true, env: [], setup: [] },
      workspace: "worktree",
    });
    server.git.branches.set("drover/cart", { "a.txt": "two\n" });
    await page.getByLabel("Working directory").fill(`${cwd}/`);
    await page.getByLabel("Working directory").fill(cwd);
    await page.getByLabel("A worktree of its own").and(page.locator(":checked")).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByLabel("Start from").fill("v1");
    await page.getByLabel("Branch").fill("cart");
    await button(page, "Start").click();
    await page.getByText("drover/cart already exists").waitFor();
    await button(page, "Use the existing branch").click();
    await page.getByText("drover/cart in a worktree of").waitFor();
    expect(server.frames.findLast(({ type }) => type === "session:create")).toMatchObject({
      ...{ cwd, workspace: "worktree", name: "cart", base: "v1", reattach: true },
    });

    // The next session starts in the same repository, not in the worktree.
    await button(page, "New session").click();
    expect(await page.getByLabel("Working directory").inputValue()).toBe(cwd);
    server.git.refusal = {
      code: "WORKSPACE_FAILED",
      message: "Another git command is running. Run `rm index.lock`, then try again.",
    };
    await page.getByLabel("Prompt").fill("Again");
    await button(page, "Start").click();
    await page.getByRole("alert").getByText("rm index.lock").waitFor();
    await page.getByText("This directory").click();
    await page.setViewportSize({ width: 390, height: 780 });
    await button(page, "Start").click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(server.frames.findLast(({ type }) => type === "session:create")).toMatchObject({
      workspace: "local",
    });
    const message = "The session cart works in this directory, too";
    server.sessions.at(-1)?.emit({ type: "notice", code: "SHARED_DIRECTORY", message, facts: {} });
    await page.getByRole("note").getByText(message).waitFor();
  });

  test("are deleted with a copy of uncommitted files, listed, removed and restored", async () => {
    await using visited = await visit(browser);
    const { page, server } = visited;
    server.git.trees.set(cwd, new FixtureTree(cwd, "main", { "a.txt": "one\n" }));
    const tree = await startInWorktree(visited, "cart");
    tree.write({ "a.txt": "two\n" });
    await startInWorktree(visited, "docs");

    await page.goto(`${server.url}/#/workspaces`);
    const listed = page.getByRole("list", { name: "Worktrees" });
    await listed.getByRole("listitem", { name: "docs" }).getByText("No changes").waitFor();
    await listed.getByRole("listitem", { name: "cart" }).getByText("1 uncommitted").waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await listed.getByRole("link", { name: "cart" }).click();

    await button(page, "More").click();
    await page.getByRole("menuitem", { name: "Delete…" }).click();
    await button(page, "Delete session").click();
    await page.getByRole("dialog").getByText("a.txt").waitFor();
    await button(page, "Delete and keep a copy").click();
    await page.getByText("Workspaces has a copy of its files").waitFor();
    expect([...server.git.trees.keys()]).toEqual([cwd, `${cwd}/.drover-worktrees/docs`]);

    await page.goto(`${server.url}/#/workspaces`);
    const kept = page.getByRole("list", { name: "Kept work" });
    await kept.getByRole("button", { name: "Restore" }).click();
    await kept.waitFor({ state: "detached" });
    const orphan = listed.getByRole("listitem", { name: "cart" });
    await orphan.getByText("No session").waitFor();
    await orphan.getByRole("button", { name: "Remove" }).click();
    await orphan.getByText("a.txt").waitFor();
    await orphan.getByRole("button", { name: "Remove and keep a copy" }).click();
    await kept.getByText("cart").waitFor();
    expect(server.git.kept).toMatchObject([{ name: "cart", files: { "a.txt": "two\n" } }]);
  });
});
