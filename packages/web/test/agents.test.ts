import { join } from "node:path";
import { type Rejection, type Result, reject } from "@drover/core";
import { describe, expect, test } from "vitest";
import { findChromium } from "../../../test/kit/programs.ts";
import { until } from "../../../test/kit/until.ts";
import { monogramOf } from "../src/agents/letters.ts";
import { newSession, visitServer } from "./real-visit.ts";
import { sharedBrowser } from "./shared-browser.ts";
import { visit } from "./visit.ts";

const crashing = {
  name: '<b onclick="alert(1)">Dying</b>',
  driver: "acp",
  command: process.execPath,
  args: [join(import.meta.dirname, "../../../test/agents/connects-and-dies.mjs")],
};

test.each([
  ["Claude Code", "CC"],
  ["demo", "De"],
  ["codex-acp", "Ca"],
  ["Zürich", "Zü"],
  ["<b>", "?"],
])("the monogram of %s is %s", (name, letters) => expect(monogramOf(name)).toBe(letters));

describe.skipIf(!findChromium())("the agents page (needs chromium)", () => {
  const browser = sharedBrowser();

  test("shows which agents are installed and what they can do, and how to get the others", async () => {
    await using visit = await visitServer(browser);
    const { page, server, complaints } = visit;
    await page.goto(`${server.url}/#/agents`);
    const demo = page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: "Demo" }) });
    await demo.getByText("What it can do").click();
    await demo.getByText("Asks before it acts and waits for your answer.").waitFor();
    const claude = page
      .getByRole("listitem")
      .filter({ has: page.getByRole("heading", { name: "Claude Code", exact: true }) });
    await claude.getByText("Recommended").waitFor();
    await claude.getByText("2 other variants").click();
    await claude.getByRole("heading", { name: "Claude Code (ACP)" }).waitFor();
    await claude.getByText("2 other variants").click();
    await claude.getByText("Install from a terminal").first().click();
    await claude.getByText("drover agents add claude", { exact: true }).waitFor();
    await claude.getByRole("button", { name: "Copy" }).waitFor();
    expect(complaints).toEqual([]);
  });

  test("installs an agent: shows progress, the reason next to a failed install, and the location when it is done", async () => {
    await using visited = await visit(browser, "#/agents");
    const { page, server, complaints } = visited;
    const group = (title: string) =>
      page.locator("section").filter({ has: page.getByRole("heading", { name: title }) });
    const card = (title: string) => group(title).getByRole("listitem").filter({ hasText: "Claude Code" });
    const answered = Promise.withResolvers<Result<unknown, Rejection>>();
    const { onAdd } = server;
    server.onAdd = () => answered.promise;
    await card("Not installed").getByText("Install from a terminal").click();
    await card("Not installed").getByText("drover agents add claude", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Install Claude Code", exact: true }).click();
    const busy = page.getByRole("button", { name: "Installing… Claude Code" });
    await busy.waitFor();
    expect(await busy.isDisabled()).toBe(true);
    await card("Not installed")
      .getByText(/^Installing @anthropic-ai\/claude-agent-sdk 0\.3\.325 with npm\./)
      .waitFor();
    const error = "npm ended with 1: code ECONNREFUSED. Try again.";
    answered.resolve(reject("UNSUPPORTED", error, { what: "add" }));
    await card("Not installed").getByRole("alert").getByText(error).waitFor();
    server.onAdd = onAdd;
    await page.getByRole("button", { name: "Install Claude Code", exact: true }).click();
    await card("Installed ·").getByText("version 1.2.3").waitFor();
    await page.getByRole("status").getByText("Claude Code is installed.").waitFor();
    expect(await page.getByRole("alert").count()).toBe(0);
    expect(await group("Not installed").count()).toBe(0);
    // The browser itself logs the refused request.
    expect(complaints.filter((text) => !text.includes("400"))).toEqual([]);
  });

  test("refreshes when the tab is visible again, since agents may have been installed or logged in to meanwhile", async () => {
    await using visited = await visit(browser, "#/agents");
    const { page, server } = visited;
    await page.getByRole("heading", { name: /^Not installed/ }).waitFor();
    server.added.add("claude");
    await page.evaluate(() => window.dispatchEvent(new Event("focus")));
    await page.getByText("version 1.2.3").waitFor();
    expect(await page.getByRole("heading", { name: /^Not installed/ }).count()).toBe(0);
  });

  test("shows a lost agent at once, and reconnects on request", async () => {
    await using visit = await visitServer(browser, {
      config: { agents: { dying: crashing }, supervision: { backoff: "30s", attempts: 2 } },
    });
    const { page, server, client, complaints } = visit;
    await page.goto(`${server.url}/#/agents`);
    const card = page.getByRole("listitem").filter({ has: page.getByText("dying", { exact: true }) });
    await card.waitFor();
    // Its name is markup, and is shown as text.
    await card.getByRole("heading", { name: crashing.name }).waitFor();
    const session = await newSession(visit, { agent: "dying" });
    await client.post(`/api/sessions/${session.id}/messages`, { content: "hello" });
    await card.getByText(/1 (reconnecting|disconnected)/).waitFor();
    const tries = async () => (await client.get<{ run: number }>(`/api/sessions/${session.id}`)).run;
    const before = await tries();
    await card.getByRole("button", { name: "Reconnect" }).click();
    await until(async () => (await tries()) > before, { what: "it is started again" });
    expect(complaints).toEqual([]);
  });

  test("N4 an agent whose mode Drover cannot set is shown as acting without asking wherever it appears", async () => {
    const plain = {
      ...{ name: "Plain", driver: "text", command: process.execPath },
      args: [join(import.meta.dirname, "../../../test/agents/text-slow.mjs")],
    };
    await using visit = await visitServer(browser, { config: { agents: { plain } } });
    const { page, server } = visit;
    const warning = "May act without asking: no permission mode reaches it.";
    await page.goto(`${server.url}/#/agents`);
    const card = page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: "Plain" }) });
    await card.getByText("What it can do").click();
    await card.getByText(warning).waitFor();
    expect(await card.getByText("decides beforehand").count()).toBe(0);

    await page.getByRole("button", { name: "New session" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Agent", { exact: true }).selectOption("plain");
    await dialog.getByText(warning).waitFor();
    await dialog.getByText(/ · may act without asking: no permission mode reaches it/).waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();

    const session = await newSession(visit, { agent: "plain" });
    await page.goto(`${server.url}/#/s/${session.name}`);
    await page.locator("p.text-warn").getByText(warning).waitFor();
    expect(await page.getByLabel("Permission mode").getAttribute("title")).toBe(warning);
  });
});
