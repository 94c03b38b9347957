// A review in a real browser, from the first turn to the merge, against the real server and real git.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Session } from "@drover/core";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildWeb } from "../../scripts/build-web.ts";
import { launchBrowser } from "../kit/browser.ts";
import { findChromium } from "../kit/programs.ts";
import { logIn } from "./tab.ts";
import { inWorktree, openWorktreeRig } from "./worktree-rig.ts";

let browser: Browser & AsyncDisposable;
beforeAll(async () => {
  if (!findChromium()) return;
  await buildWeb();
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

describe.skipIf(!findChromium())("a review in the browser (needs chromium)", () => {
  test("V2 V3 V4 work is sent back with a comment, updated after a conflict, accepted and merged", async () => {
    await using rig = await openWorktreeRig();
    const { work, client, git } = rig;
    await git("config", "user.name", "Ada");
    await git("config", "user.email", "ada@example.test");
    const { id } = await client.post<Session>("/api/sessions", {
      ...{ agent: "demo", cwd: work, ...inWorktree, name: "fox", title: "Write it down" },
    });
    await client.post(`/api/sessions/${id}/messages`, { content: "write kept.txt of the fox" });
    await using tab = await logIn(browser, rig);
    const { page, complaints } = tab;
    const head = page.getByRole("region", { name: "Review", exact: true });
    const button = (name: string) => page.getByRole("button", { name, exact: true });
    const decide = (name: string) => page.locator("button[aria-disabled=false]", { hasText: name });

    await page.goto(`${rig.server.url}/#/inbox`);
    await page.getByRole("link", { name: /^Write it down 1 file/ }).click();
    await head.getByText("Ready for review").waitFor();
    await head.getByText("1 ahead, 0 behind").waitFor();
    const file = page.getByRole("region", { name: "kept.txt", exact: true });
    await file.getByText("of the fox").waitFor();
    await file.getByRole("button", { name: "Comment on line 1", exact: true }).click();
    await page.getByRole("textbox", { name: "Comment on line 1" }).fill("write kept.txt of the red fox");
    await page.getByRole("checkbox", { name: "Viewed kept.txt" }).check();
    await page.getByText("1 of 1 viewed").waitFor();
    await button("Request changes (1)").click();
    await page.getByLabel("Summary").fill("Which one?");
    await button("Request changes").click();
    // The agent did as it was asked, so the file has to be viewed again.
    await file.getByText("of the red fox").waitFor();
    await page.getByText("0 of 1 viewed").waitFor();
    await head.getByText("Ready for review").waitFor();

    await writeFile(join(work, "kept.txt"), "theirs\n");
    await git("commit", "-q", "-am", "theirs");
    await page.reload();
    await head.getByText("These files conflict with main:").waitFor();
    await head.getByText("1 ahead, 1 behind").waitFor();
    await decide("Accept").click();
    await decide("Merge…").click();
    const dialog = page.getByRole("dialog", { name: "Merge drover/fox" });
    await dialog.getByText("kept.txt").waitFor();
    expect(await button("Merge").isDisabled()).toBe(true);
    await dialog.getByRole("button", { name: "Update from main" }).click();
    await head.getByText("These files have conflict markers.").waitFor();
    await file.getByText("<<<<<<<").first().waitFor();
    await client.post(`/api/sessions/${id}/messages`, { content: "write kept.txt of both" });
    await head.getByText("These files have conflict markers.").waitFor({ state: "detached" });
    await head.getByText(/^\d ahead, 0 behind$/).waitFor();

    await decide("Accept").click();
    await decide("Merge…").click();
    await dialog.getByText("No conflicts.").waitFor();
    await dialog.getByLabel("Message").fill("Write about both");
    await button("Merge").click();
    await head.getByText("Merged", { exact: true }).waitFor();
    await page.getByText("Merged into main", { exact: true }).waitFor();
    expect(await readFile(join(work, "kept.txt"), "utf8")).toBe("of both");
    expect(await git("log", "-1", "--format=%s %an")).toBe("Write about both Ada");
    expect(await git("status", "--porcelain")).toBe("");
    expect(complaints).toEqual([]);
  });
});
