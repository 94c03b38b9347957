import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { kitAgent } from "../../../test/e2e/support.ts";
import { findChromium } from "../../../test/kit/programs.ts";
import { newSession, type RealVisit, sharedServer } from "./real-visit.ts";
import { seenIn } from "./seen.ts";
import { sharedBrowser } from "./shared-browser.ts";

const cardOf = (page: Page) => page.locator("[data-interaction]");
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
/** Waits until the agent reports that it received this option. */
const waitForOption = (page: Page, optionId: string) =>
  page.locator("main").getByText(`{"outcome":{"outcome":"selected","optionId":"${optionId}"}}`).waitFor();
const agent = (answers: object = {}) => kitAgent("follows-script.mjs", "--answers", JSON.stringify(answers));

const call = { toolCallId: "c1", title: "Deploy", kind: "execute", rawInput: { command: "deploy" } };
const option = (optionId: string, name: string, kind: string) => ({ optionId, name, kind });

describe.skipIf(!findChromium())("what agents say (needs chromium)", () => {
  const authMethods = [{ id: "key", name: "API key", description: "Set KIT_KEY" }];
  const expired = { code: -32000, message: "Authentication required", data: { details: "token expired" } };
  const agents = {
    kit: agent(),
    unlicensed: agent({ initialize: { exit: 3, words: "no \u001b[31mlicence\u001b[0m found" } }),
    "logged-out": agent({
      initialize: { result: { protocolVersion: 1, authMethods } },
      "session/new": { error: expired },
    }),
    stuck: kitAgent("own-modes.mjs", "--stuck"),
  };
  const open = sharedServer(sharedBrowser(), { config: { agents } });

  /** Opens a session with these steps as its first message. */
  async function begin(
    visited: RealVisit,
    steps: readonly unknown[],
    agent: keyof typeof agents = "kit",
  ): Promise<string> {
    const { id, name } = await newSession(visited, { agent });
    await visited.client.post(`/api/sessions/${id}/messages`, { content: JSON.stringify(steps) });
    await visited.page.goto(`${visited.server.url}/#/s/${name}`);
    return id;
  }

  const asking = (...options: object[]) => [
    { update: { sessionUpdate: "tool_call", ...call } },
    { ask: { toolCall: call, options } },
  ];

  test("N5 several ways to say yes become a question with the agent's labels, and the chosen one is sent", async () => {
    await using visited = await open();
    const { page, complaints } = visited;
    const labels = [
      option("a", "To staging", "allow_once"),
      option("b", "To \u202eproduction", "allow_once"),
    ];
    await begin(visited, asking(...labels, option("n", "Not now", "reject_once")));
    await cardOf(page).waitFor();
    const { text, problems } = await seenIn(cardOf(page));
    for (const label of ["deploy", "To staging", "To ⟨U+202E⟩production", "Not now"]) {
      expect(text).toContain(label);
    }
    expect(problems).toEqual([]);
    expect(await cardOf(page).getByRole("textbox").count()).toBe(0);
    await cardOf(page).getByText("production").click();
    await button(page, "Answer").click();
    await waitForOption(page, "b");
    expect(complaints).toEqual([]);
  });

  test("N5 the agent's own labels for a decision are shown, with a warning if it remembers the answer", async () => {
    await using visited = await open();
    const { page } = visited;
    await begin(
      visited,
      asking(option("y", "Trust this tool", "allow_always"), option("n", "Leave it", "reject_once")),
    );
    await cardOf(page).getByText("Approve: “Trust this tool”").waitFor();
    await cardOf(page).getByText("The agent will remember this answer.").waitFor();
    await cardOf(page).getByText("Deny: “Leave it”").waitFor();
    await button(page, "Approve").click();
    await waitForOption(page, "y");
  });

  test("N6 an agent that cannot be connected to shows the reason and its last output", async () => {
    await using visited = await open();
    const { page } = visited;
    await begin(visited, [], "unlicensed");
    const message = "Could not connect to Kit: its process exited with code 3";
    await page.getByRole("alert").getByText(message).waitFor();
    await page.locator("[data-stderr]").getByText("no licence found", { exact: true }).waitFor();
  });

  test("N6 an agent that needs a login shows its own message and the ways to log in", async () => {
    await using visited = await open();
    const { page } = visited;
    await begin(visited, [], "logged-out");
    await page.getByRole("alert").getByText("(Authentication required: token expired)").waitFor();
    await page.getByText("API key: Set KIT_KEY").waitFor();
  });

  test("N4 an agent in its own mode that does not ask is marked as such, with the mode's name", async () => {
    await using visited = await open();
    const { page } = visited;
    await begin(visited, [], "stuck");
    await page.getByText("I work in auto-accept.").waitFor();
    await page.getByText("May act without asking: it is in its own mode “Auto-accept”.").waitFor();
  });

  test("N9 an approved call that was interrupted says so, and a denied one that never finished says denied", async () => {
    await using visited = await open();
    const { page, client } = visited;
    const options = [option("y", "Yes", "allow_once"), option("n", "No", "reject_once")];
    const id = await begin(visited, [...asking(...options), "cancelled"]);
    await button(page, "Approve").click();
    await waitForOption(page, "y");
    await client.post(`/api/sessions/${id}/interrupt`, {});
    const tool = page.getByRole("article", { name: "Tool: Deploy" });
    await tool.getByText("interrupted", { exact: true }).waitFor();
    await begin(visited, asking(...options));
    await button(page, "Deny").click();
    await tool.getByText("denied", { exact: true }).waitFor();
    await page.getByText("Done in").waitFor();
    expect(await tool.getByText("denied", { exact: true }).count()).toBe(1);
  });
});
