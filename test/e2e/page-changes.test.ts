// Reviewing an agent's work in a real browser: two sessions in one repository, and what a person takes back.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Session } from "@drover/core";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildWeb } from "../../scripts/build-web.ts";
import { launchBrowser } from "../kit/browser.ts";
import { findChromium } from "../kit/programs.ts";
import { until } from "../kit/until.ts";
import { logIn } from "./tab.ts";
import { openWorktreeRig } from "./worktree-rig.ts";

let browser: Browser & AsyncDisposable;
beforeAll(async () => {
  if (!findChromium()) return;
  await buildWeb();
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

const lines = Array.from({ length: 40 }, (_, i) => `line-${i + 1};\n`).join("");
const turnRow = (page: Page, words: RegExp) =>
  page.locator(".item", { has: page.getByRole("link", { name: words }) });

describe.skipIf(!findChromium())("a review in the browser (needs chromium)", () => {
  test("two sessions share a repository but no files, and each change can be undone", async () => {
    await using rig = await openWorktreeRig();
    const { work, client } = rig;
    await writeFile(join(work, "long.txt"), lines);
    await rig.git("config", "user.name", "Ada");
    await rig.git("config", "user.email", "ada@example.test");
    await rig.git("add", "-A");
    await rig.git("commit", "-q", "-m", "long");
    const local = await client.post<Session>("/api/sessions", {
      ...{ agent: "demo", cwd: work, permissionMode: "never", name: "in-place" },
    });
    await client.post(`/api/sessions/${local.id}/messages`, { content: "write kept.txt mine" });
    await using tab = await logIn(browser, rig);
    const { page, complaints } = tab;

    await page.getByRole("button", { name: "New session" }).first().click();
    await page.getByLabel("Prompt").fill("edit long.txt s/line-2;/zwei/\nedit long.txt s/line-30;/thirty/");
    await page.getByLabel("Agent").selectOption("demo");
    await page.getByLabel("Working directory").fill(work);
    await page.getByText("A worktree of its own").click();
    await page.getByLabel("Branch").fill("review");
    await page.getByText("Never ask").click();
    await page.getByRole("button", { name: "Start" }).click();
    await page.getByText(`drover/review in a worktree of ${work}`).waitFor();
    const own = join(rig.treeOf("review"), "long.txt");
    const row = turnRow(page, /^1 file \+2 −2$/);
    await row.waitFor();
    expect(await readFile(join(work, "long.txt"), "utf8")).toBe(lines);

    await row.getByRole("link").click();
    const file = page.getByRole("region", { name: "long.txt", exact: true });
    await file.getByText("zwei", { exact: true }).waitFor();
    expect(await page.getByRole("region", { name: "kept.txt" }).count()).toBe(0);

    await page.getByLabel("Changes to show").selectOption("Uncommitted");
    await file.getByRole("button", { name: /^Discard lines 27–33 / }).click();
    await file.getByText("thirty").waitFor({ state: "detached" });
    expect(await readFile(own, "utf8")).toBe(lines.replace("line-2;", "zwei"));
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    await file.getByText("thirty").waitFor();

    await page.getByRole("link", { name: "Conversation" }).click();
    await row.getByRole("button", { name: "Undo" }).click();
    await row.getByText("Undone").waitFor();
    expect(await readFile(own, "utf8")).toBe(lines);
    await row.getByRole("button", { name: "Redo" }).click();
    await row.getByText("Undone").waitFor({ state: "detached" });

    const prompt = page.locator(".item", { hasText: "edit long.txt" }).first();
    await prompt.hover();
    await prompt.getByRole("button", { name: "Fork into a worktree" }).click();
    await page.waitForURL((url) => !url.hash.endsWith("/s/review"));
    const forked = await client.get<Session>(`/api/sessions/${page.url().split("/").at(-1)}`);
    expect(await readFile(join(forked.workspace.path, "long.txt"), "utf8")).toBe(lines);
    await page.goBack();
    await row.waitFor();

    await page.getByRole("link", { name: "Changes" }).click();
    await page.getByRole("button", { name: "Commit…" }).click();
    await page.getByLabel("Message").fill("Count in German");
    await page.getByRole("button", { name: "Commit 1 file" }).click();
    await page.getByText(/^Committed [0-9a-f]{7}$/).waitFor();
    expect(await rig.git("log", "-1", "--format=%s %an", "drover/review")).toBe("Count in German Ada");
    await page.getByLabel("Changes to show").selectOption("Against main");
    await file.getByText("zwei", { exact: true }).waitFor();

    await page.goto(`${rig.server.url}/#/workspaces`);
    await page.getByText("1 commit ahead").waitFor();
    const { cwd } = await until(() => client.get<Session>("/api/sessions/in-place"));
    expect(await readFile(join(cwd, "kept.txt"), "utf8")).toBe("mine");
    expect(complaints).toEqual([]);
  });
});
