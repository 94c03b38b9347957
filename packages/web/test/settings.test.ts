import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ConfigReport } from "@drover/core";
import { describe, expect, test } from "vitest";
import { logInByToken } from "../../../test/kit/login.ts";
import { findChromium } from "../../../test/kit/programs.ts";
import { until } from "../../../test/kit/until.ts";
import { settingWords } from "../src/settings/setting-words.ts";
import { seriousFindings } from "./axe.ts";
import { lookFindings } from "./look.ts";
import { newSession, repositoryWith, sharedServer, visitServer, write } from "./real-visit.ts";
import { sharedBrowser } from "./shared-browser.ts";

test.each([
  [600_000, "ms", "10m"],
  [1_500, "ms", "1500ms"],
  [0, "ms", "0ms"],
  [4 * 1024 ** 2, "bytes", "4MiB"],
  [1_000, "bytes", "1000B"],
  [["a", "b"], undefined, "a, b"],
  [true, undefined, "true"],
] as const)("the value %j in %s is written %s, as in the file", (value, unit, text) => {
  expect(settingWords(value, unit)).toBe(text);
});

describe.skipIf(!findChromium())("the page (needs chromium) of", () => {
  const browser = sharedBrowser();
  const visitShared = sharedServer(browser);

  test("settings shows every value with its source, and no secrets", async () => {
    await using visit = await visitServer(browser, {
      config: {
        git: { timeout: "4s" },
        agents: { mine: { driver: "acp", command: "mine", env: { KEY: "made-up-secret" } } },
      },
      env: { DROVER__SESSIONS__QUEUEMAX: "7" },
    });
    const { page, server, complaints } = visit;
    await page.goto(`${server.url}/#/settings`);
    const git = page.getByRole("region", { name: "git", exact: true });
    await git.getByText("4s", { exact: true }).waitFor();
    await git.getByText(/^drover\.yaml, line \d+ · default 5s$/).waitFor();
    await page.getByText("Variable DROVER__SESSIONS__QUEUEMAX · default 50").waitFor();
    await page.getByText("Option --port · default 4242").waitFor();
    // Changed settings come first.
    const groups = () => page.locator("section[aria-label] > h3").allInnerTexts();
    expect(new Set((await groups()).slice(0, 4))).toContain("git");
    expect(await git.getByRole("term").first().innerText()).toBe("timeout");
    await page.getByRole("checkbox", { name: /Only changed settings/ }).check();
    expect(await page.getByText("Default", { exact: true }).count()).toBe(0);
    expect(await page.content()).not.toContain("made-up-secret");
    expect(complaints).toEqual([]);
  });

  test("N10 settings shows what is wrong in the file, and what needs a restart", async () => {
    await using visit = await visitServer(browser, { config: { git: { timeout: "4s" } } });
    const { page, server, client } = visit;
    const file = join(server.droverHome, "drover.yaml");
    const reported = async (key: "problems" | "restart") =>
      (await client.get<ConfigReport>("/api/config"))[key]?.join("\n");
    await writeFile(file, "streams: {heartbeat: 20s}\ngit: {timeout: 6s}\n");
    await until(() => reported("restart"));
    await page.goto(`${server.url}/#/settings`);
    await page.getByText("Changed in the file, takes effect after a restart: streams.heartbeat.").waitFor();
    const git = page.getByRole("region", { name: "git", exact: true });
    await git.getByText("6s", { exact: true }).waitFor();
    await writeFile(file, "git: {timeout: soon}\n");
    await until(() => reported("problems"));
    await page.reload();
    await page.getByRole("alert").getByText("git.timeout must be a duration").waitFor();
    await git.getByText("6s", { exact: true }).waitFor();
  });

  test("settings changes the theme of this browser", async () => {
    await using visit = await visitShared();
    const { page, server } = visit;
    await page.goto(`${server.url}/#/settings`);
    await page.getByText("Dark", { exact: true }).click();
    const colour = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const dark = await colour();
    await page.getByText("Light", { exact: true }).click();
    expect(await colour()).not.toBe(dark);
  });

  test("H6 settings lists the logins, revokes one or all others, and logs this browser out", async () => {
    await using visit = await visitServer(browser);
    const { page, server, client, complaints } = visit;
    const others = [await logInByToken(server), await logInByToken(server), await logInByToken(server)];
    const count = async () => (await client.get<{ logins: unknown[] }>("/api/logins")).logins.length;
    await page.goto(`${server.url}/#/settings`);
    const rows = page.getByRole("list", { name: "Logins" }).getByRole("listitem");
    await expect.poll(() => rows.count()).toBe(4);
    await rows.first().getByText("This browser").waitFor();
    await rows.first().getByRole("button", { name: "Log out" }).waitFor();
    await rows.nth(1).getByText("Used within the last hour").waitFor();
    await rows
      .nth(1)
      .getByRole("button", { name: /^Revoke/ })
      .click();
    await expect.poll(() => rows.count()).toBe(3);
    expect(await count()).toBe(3);
    await page.getByRole("button", { name: "Revoke all others" }).click();
    await expect.poll(() => rows.count()).toBe(1);
    for (const { headers } of others)
      expect((await fetch(`${server.url}/api/sessions`, { headers })).status).toBe(401);
    expect(complaints).toEqual([]);
    await rows.first().getByRole("button", { name: "Log out" }).click();
    await page.waitForURL(`${server.url}/login`);
    expect(await count()).toBe(0);
    expect(await page.evaluate(() => localStorage.getItem("drover:key"))).toBe(null);
  });

  test("doctor shows problems first, with the command that fixes each, and can be refreshed", async () => {
    await using visit = await visitShared();
    const { page, server, complaints } = visit;
    await chmod(server.droverHome, 0o755);
    await page.goto(`${server.url}/#/doctor`);
    await page.getByText("1 problem").waitFor();
    const first = page.getByRole("main").getByRole("listitem").first();
    await first.getByText("Other users can access").waitFor();
    await first.getByText(`chmod 700 ${server.droverHome}`, { exact: true }).waitFor();
    await first.getByRole("button", { name: "Copy" }).waitFor();
    await chmod(join(server.droverHome), 0o700);
    await page.getByRole("button", { name: "Refresh" }).click();
    await page.getByText("Everything works").waitFor();
    expect(complaints).toEqual([]);
  });

  // Opens and checks seven pages.
  test("changes, agents, projects, workspaces, settings, doctor and docs have no serious accessibility findings", {
    timeout: 90_000,
  }, async () => {
    await using visit = await visitShared();
    const { page, server, work, complaints } = visit;
    await repositoryWith(work, { "a.txt": "one\ntwo\n" });
    await write(work, { "a.txt": "one\nzwei\n", "new.txt": "new\n" });
    const session = await newSession(visit);
    await page.goto(`${server.url}/#/s/${session.name}/changes`);
    await page.getByRole("button", { name: "Comment on removed line 2" }).click();
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByRole("button", { name: "Side by side" }).click();
    expect(await seriousFindings(page)).toEqual([]);
    const ready = {
      agents: "Demo",
      projects: "Add variable",
      workspaces: "No worktrees",
      settings: "queueMax",
      doctor: "Everything works",
      docs: "POST /api/login/codes",
    };
    for (const [name, text] of Object.entries(ready)) {
      await page.goto(`${server.url}/#/${name}`);
      await page.getByText(text).first().waitFor();
      expect([...(await seriousFindings(page)), ...(await lookFindings(page))], name).toEqual([]);
    }
    await page.getByText("POST /api/sessions", { exact: true }).click();
    expect(await seriousFindings(page), "an operation").toEqual([]);
    expect(complaints).toEqual([]);
  });
});
