import type { Locator, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { findChromium } from "../../../test/kit/programs.ts";
import { until } from "../../../test/kit/until.ts";
import { seriousFindings } from "./axe.ts";
import { git, newSession, type RealVisit, repositoryWith, sharedServer, write } from "./real-visit.ts";
import { sharedBrowser } from "./shared-browser.ts";

const numbered = (count: number, word: string) =>
  Array.from({ length: count }, (_, i) => `${word} ${i + 1}\n`).join("");

async function open({ page, server }: RealVisit, name: string): Promise<void> {
  await page.goto(`${server.url}/#/s/${name}/changes`);
  await page.getByText("Changes", { exact: true }).waitFor();
}

const fileOf = (page: Page, path: string): Locator => page.getByRole("region", { name: path, exact: true });
const topOf = (locator: Locator) => locator.evaluate((element) => element.getBoundingClientRect().top);

describe.skipIf(!findChromium())("the changes of a session (needs chromium)", () => {
  const visitShared = sharedServer(sharedBrowser(), { config: { git: { timeout: "30s" } } });

  test("are listed and shown, and refreshed when the agent's next turn ends", async () => {
    await using visit = await visitShared();
    const { page, work, client, complaints } = visit;
    await repositoryWith(work, { "a.txt": "one\ntwo\n", ".gitignore": ".drover\n" });
    await write(work, { "a.txt": "one\nzwei\n", "new.txt": "new\n" });
    const session = await newSession(visit, { permissionMode: "never" });
    await open(visit, session.name);
    await page.getByText("2 files").waitFor();
    await fileOf(page, "a.txt").getByText("zwei").waitFor();
    await fileOf(page, "new.txt").getByText("new", { exact: true }).waitFor();

    await client.post(`/api/sessions/${session.id}/messages`, { content: "write by-the-agent.txt hello" });
    await fileOf(page, "by-the-agent.txt").getByText("hello").waitFor();
    expect(complaints).toEqual([]);
  });

  test("are highlighted in their language, each side on its own", async () => {
    await using visit = await visitShared();
    const { page, work, complaints } = visit;
    await repositoryWith(work, {
      "src/a.ts": "const before = 1; /* begins\nand ends */\nconst kept = 2;\n",
    });
    await write(work, {
      "src/a.ts": "const after = 1; // a remark\nconst kept = 2;\n",
      Makefile: "all:\n\techo",
    });
    const session = await newSession(visit);
    await open(visit, session.name);
    const file = fileOf(page, "src/a.ts");
    await file.locator(".code-comment", { hasText: "and ends */" }).waitFor();
    // An unclosed comment on the old side does not affect the new side.
    await file.locator(".code-keyword", { hasText: "const" }).nth(2).waitFor();
    expect(await file.getByText("const kept = 2;", { exact: true }).innerText()).toBe("const kept = 2;");
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByRole("button", { name: "Side by side" }).click();
    await file.locator(".code-keyword", { hasText: "const" }).nth(3).waitFor();
    expect(complaints).toEqual([]);
  });

  test("are shown in one column or two, and the choice is kept", async () => {
    await using visit = await visitShared();
    const { page, work } = visit;
    await repositoryWith(work, { "a.txt": "one\ntwo\nthree\n" });
    await write(work, { "a.txt": "one\nzwei\nthree\n" });
    const session = await newSession(visit);
    await open(visit, session.name);
    const [old, now] = [page.getByText("two", { exact: true }), page.getByText("zwei", { exact: true })];
    await now.waitFor();
    await until(async () => (await topOf(old)) < (await topOf(now)), { what: "one is below the other" });
    await page.getByRole("button", { name: "Side by side" }).click();
    const onOneLine = () =>
      until(async () => (await topOf(old)) === (await topOf(now)), { what: "both are on one line" });
    await onOneLine();
    await page.reload();
    await now.waitFor();
    await onOneLine();
  });

  test("can be stepped through with j and k, and folded", async () => {
    await using visit = await visitShared();
    const { page, work } = visit;
    const files = Object.fromEntries(
      Array.from({ length: 5 }, (_, i) => [`file-${i}.txt`, numbered(i < 3 ? 80 : 3, "line")]),
    );
    await repositoryWith(work, {});
    await write(work, files);
    const session = await newSession(visit);
    await open(visit, session.name);
    await fileOf(page, "file-0.txt").getByText("line 1", { exact: true }).waitFor();
    const listed = page.getByRole("navigation", { name: "Changed files" });
    const current = listed.locator("[aria-current]");
    const reads = (path: string) =>
      until(async () => (await current.getAttribute("title")) === path, { what: `${path} is read` });
    await reads("file-0.txt");
    for (const [key = "", number] of ["j1", "j2", "j3", "j4", "k3", "k2", "k1"]) {
      await page.keyboard.press(key);
      await reads(`file-${number}.txt`);
    }
    await page.getByRole("button", { name: "Collapse file-1.txt" }).click();
    await page.getByRole("button", { name: "Expand file-1.txt" }).waitFor();
    expect(await fileOf(page, "file-1.txt").getByText("line 1", { exact: true }).count()).toBe(0);
    await listed.getByRole("button", { name: /file-3.txt/ }).click();
    await reads("file-3.txt");
    await fileOf(page, "file-3.txt").getByText("line 2", { exact: true }).waitFor();
  });

  test("accept comments on their lines, which survive a reload and go to the agent as one message", async () => {
    await using visit = await visitShared();
    const { page, work, client } = visit;
    await repositoryWith(work, { "a.txt": "one\ntwo\n" });
    await write(work, { "a.txt": "one\nzwei\n", "deep/new.txt": "fresh\n" });
    const session = await newSession(visit);
    await open(visit, session.name);
    const first = fileOf(page, "a.txt");
    await first.getByRole("button", { name: "Comment on line 2", exact: true }).click();
    await first.getByRole("textbox").fill("Why German?");
    await first.getByRole("button", { name: "Save" }).click();
    await first.getByRole("button", { name: "Comment on removed line 2" }).click();
    await first.getByRole("textbox").fill("Keep this one");
    await page.reload();
    await first.getByText("Why German?").waitFor();
    const second = fileOf(page, "deep/new.txt");
    await second.getByRole("button", { name: "Comment on line 1", exact: true }).click();
    await second.getByRole("textbox").fill("Needed?");
    await page.getByRole("button", { name: "Send 3 comments" }).click();
    await page.getByText("Sent as one message").waitFor();
    expect(await page.locator(":focus").innerText()).toContain("View conversation");
    await expect.poll(() => page.getByRole("article").count()).toBe(0);
    const sent = await until(
      async () => {
        const { items } = await client.get<{ items: { kind: string; text?: string }[] }>(
          `/api/sessions/${session.id}/messages`,
        );
        return items.find(({ kind }) => kind === "user")?.text;
      },
      { what: "the agent has the message" },
    );
    expect(sent).toBe(
      [
        "Comments on your changes in the working copy:",
        "a.txt:2\n> zwei\n\nWhy German?",
        "a.txt:2 (removed)\n> two\n\nKeep this one",
        "deep/new.txt:1\n> fresh\n\nNeeded?",
      ].join("\n\n"),
    );
    await page.reload();
    await first.getByText("zwei").waitFor();
    expect(await page.getByRole("article").count()).toBe(0);
  });

  test("cannot run, load or hide anything through names or content", async () => {
    await using visit = await visitShared();
    const { page, work, complaints } = visit;
    const evil = '<img src="http:evil.example" onerror="alert(1)">';
    await repositoryWith(work, {});
    await write(work, {
      [`${evil.replaceAll("/", "")}.html`]: `<script>alert(2)</script>\n${evil}\n[a](javascript:alert(3))\n`,
      "a\nb\u202Etxt.exe": "\u202Ereversed\u200B\x1b]8;;http://evil.example\x07link\n",
    });
    const session = await newSession(visit);
    await open(visit, session.name);
    await page.getByText("<script>alert(2)</script>").waitFor();
    await page.getByText("⟨U+202E⟩reversed⟨U+200B⟩⟨U+001B⟩]8;;").waitFor();
    await page.getByText("⟨U+202E⟩txt.exe").first().waitFor();
    expect(await page.locator("main img, main script, main iframe").count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  test("explain when there is no repository, and when nothing has changed", async () => {
    await using visit = await visitShared();
    const { page, work } = visit;
    const session = await newSession(visit);
    await open(visit, session.name);
    await page.getByText("Not a git repository").waitFor();
    await repositoryWith(work, { "a.txt": "a\n" });
    await page.getByRole("button", { name: "Refresh" }).click();
    await page.getByText("No uncommitted changes").waitFor();
    await git(work, "rm", "-q", "a.txt");
    await page.getByRole("button", { name: "Refresh" }).click();
    await fileOf(page, "a.txt").waitFor();
  });

  test("of 200,000 lines are all reachable, though few are rendered at a time", async () => {
    await using visit = await visitShared();
    const { page, work } = visit;
    await repositoryWith(work, {});
    await write(work, { "big.txt": numbered(150_000, "line"), "later.txt": numbered(50_000, "row") });
    const session = await newSession(visit);
    await open(visit, session.name);
    await fileOf(page, "big.txt").getByText("line 1", { exact: true }).waitFor();
    const diff = page.getByRole("region", { name: "Diff" });
    const lines = page.getByRole("button", { name: /^Comment on line/ });
    expect(await lines.count()).toBeLessThan(200);
    // Halfway through the first file, then to the very end.
    await diff.evaluate((element) => element.scrollTo(0, 1_500_000));
    await fileOf(page, "big.txt").getByText("line 75000", { exact: true }).waitFor();
    expect(await lines.count()).toBeLessThan(200);
    await until(
      async () => {
        await diff.evaluate((element) => element.scrollTo(0, element.scrollHeight));
        return fileOf(page, "later.txt").getByText("row 50000", { exact: true }).isVisible();
      },
      { what: "the last line of all is seen" },
    );
  });
});
