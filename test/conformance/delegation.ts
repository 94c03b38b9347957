// Two concurrent sub-agents, each with parallel tool calls, beside tool calls of the agent itself.
import assert from "node:assert/strict";
import type { Interaction, Item } from "@drover/core";
import type { Locator, Page } from "playwright-core";
import { buildWeb } from "../../scripts/build-web.ts";
import { launchBrowser } from "../kit/browser.ts";
import { until } from "../kit/until.ts";
import { scriptedPrompt } from "../models/script.ts";
import { patience, type Scene } from "./stage.ts";

/** Every text and every command is unique. */
const subAgents = [
  { name: "Fox", commands: ["echo fox-1 | tee -a notes", "echo fox-2 | tee -a notes"] },
  { name: "Owl", commands: ["echo owl-1 | tee -a notes", "echo owl-2 | tee -a notes"] },
];
const ownCommands = ["echo own-1 | tee -a notes", "echo own-2 | tee -a notes"];

const bash = (command: string) => ({ name: "Bash", input: { command, description: "One of several" } });

const prompt = scriptedPrompt(
  {
    calls: [
      ...subAgents.map(({ name, commands }) => ({
        name: "Agent",
        input: {
          ...{ description: name, subagent_type: "general-purpose", run_in_background: false },
          prompt: scriptedPrompt(
            { say: `${name} begins.`, calls: commands.map(bash) },
            { say: `${name} ends.` },
          ),
        },
      })),
      ...ownCommands.map(bash),
    ],
  },
  { say: "Both are done." },
);

type Tool = NonNullable<Item["tool"]>;

const commandOf = (input: unknown) => (input as { command?: string } | undefined)?.command;

/** Approves every request until the turn ends, and returns them. */
async function approveAll(scene: Scene, messageId: string): Promise<Interaction[]> {
  const approved: Interaction[] = [];
  const answerAll = async () => {
    for (const interaction of await scene.session.openInteractions()) {
      approved.push(interaction);
      await scene.approve(interaction);
    }
    return scene.session.all("done").length > 0;
  };
  await until(answerAll, { ...patience, what: "the turn ends" });
  assert.equal((await scene.done(messageId)).reason, "end_turn");
  return approved;
}

/** The result contains the output of this command and of no other. */
function assertOwnResult({ result }: Tool, command: string): void {
  const ownResults = JSON.stringify(result).match(/(?:fox|owl|own)-\d/g) ?? [];
  assert.deepEqual([...new Set(ownResults)], [command.split(" ")[1]]);
}

/** The same in a browser, live and after a reload. */
export async function delegateOnPage(scene: Scene): Promise<void> {
  const { rig, session } = scene;
  await buildWeb();
  await using browser = await launchBrowser();
  // A server's login link works once, so this needs a new one. The page is high enough to render everything.
  await rig.server.term();
  await rig.start();
  const page = await browser.newPage({ viewport: { width: 1280, height: 3000 } });
  await page.goto(rig.server.login);
  await page.waitForURL((url) => url.pathname === "/");
  await page.goto(`${rig.server.url}/#/s/${(await session.get()).name}`);
  const { messageId } = await session.send(prompt);
  await approveAll(scene, messageId);
  const items = await session.items();
  await page.getByText("Both are done.", { exact: true }).waitFor();
  await isNestedAs(items, page);
  await page.reload();
  await page.getByText("Both are done.", { exact: true }).waitFor();
  await isNestedAs(items, page);
}

/** Every card, and every text of a sub-agent, is inside the card of its call, in order. */
async function isNestedAs(items: readonly Item[], page: Page): Promise<void> {
  const cards = "[data-tool-call-id]";
  const idsIn = async (found: Locator) =>
    Promise.all((await found.all()).map((card) => card.getAttribute("data-tool-call-id")));
  const tools = items.flatMap(({ tool }) => (tool ? [tool] : []));
  assert.deepEqual(
    (await idsIn(page.locator(cards))).sort(),
    tools.map(({ toolCallId }) => toolCallId).sort(),
  );
  for (const { toolCallId } of tools) {
    const card = page.locator(`[data-tool-call-id="${toolCallId}"]`);
    const children = items.filter(({ parentToolCallId }) => parentToolCallId === toolCallId);
    const ids = children.flatMap(({ tool }) => tool?.toolCallId ?? []);
    assert.deepEqual(await idsIn(card.locator(cards)), ids);
    for (const { kind, text = "" } of children) {
      if (kind !== "text") continue;
      assert.equal(await card.getByText(text, { exact: true }).count(), 1);
      assert.equal(await page.getByText(text, { exact: true }).count(), 1);
    }
  }
}

export async function delegate(scene: Scene): Promise<void> {
  const { messageId } = await scene.session.send(prompt);
  const approved = await approveAll(scene, messageId);
  const items = await scene.session.items();
  const tools = items.flatMap(({ tool }) => (tool ? [tool] : []));
  const ids = tools.map(({ toolCallId }) => toolCallId);
  assert.equal(new Set(ids).size, 8);
  assert.equal(ids.length, 8);

  const inside = (parent: string | undefined) =>
    items.filter((item) => item.kind !== "user" && item.parentToolCallId === parent);
  const commandsIn = (parent: string | undefined) =>
    inside(parent).flatMap(({ tool }) => commandOf(tool?.input) ?? []);
  for (const { name, commands } of subAgents) {
    const card = tools.find(({ title }) => title === name);
    assert.ok(card && card.parentToolCallId === undefined);
    const words = inside(card.toolCallId).flatMap(({ kind, text }) => (kind === "text" ? text : []));
    assert.deepEqual(words, [`${name} begins.`, `${name} ends.`]);
    assert.deepEqual(commandsIn(card.toolCallId), commands);
  }
  assert.deepEqual(commandsIn(undefined), ownCommands);

  const commands = [...subAgents.flatMap((one) => one.commands), ...ownCommands];
  for (const command of commands) {
    const own = tools.filter(({ input }) => commandOf(input) === command);
    assert.equal(own.length, 1);
    for (const tool of own) assertOwnResult(tool, command);
  }
  assert.deepEqual(approved.map(({ input }) => commandOf(input)).sort(), commands.sort());
  for (const { toolCallId, input } of approved) {
    const tool = tools.find((one) => one.toolCallId === toolCallId);
    assert.equal(commandOf(tool?.input), commandOf(input));
  }
  assert.equal((await scene.notes())?.trim().split("\n").length, commands.length);
}

/** Two sub-agents continue after the turn has ended: one is approved, the other loses its agent. */
export async function delegateInBackground(scene: Scene): Promise<void> {
  const { rig, session } = scene;
  const calls = ["Fox", "Owl"].map((description) => ({
    name: "Agent",
    input: {
      ...{ description, subagent_type: "general-purpose", run_in_background: true },
      prompt: scriptedPrompt({ run: `echo ${description} >> notes` }, { say: `${description} ends.` }),
    },
  }));
  const { reason } = await session.turn(scriptedPrompt({ calls }, { say: "They work." }), patience);
  assert.equal(reason, "end_turn");
  const open = async (): Promise<Interaction[]> => session.openInteractions();
  const [first, second] = await until(async () => ((await open()).length === 2 ? open() : undefined), {
    ...patience,
    what: "both ask",
  });
  assert.ok(first && second);
  await rig.server.kill9();
  await rig.start();
  assert.equal((await session.get()).state, "waiting_for_input");
  await scene.approve(first);
  // The shell creates the file before the command writes to it.
  const written = await until(async () => (await scene.notes()) || undefined, {
    ...patience,
    what: "the approved command runs",
  });
  assert.equal(written, `${(first.title ?? "").split(" ")[1]}\n`);
  const { pid } = (await session.get()).connection;
  assert.ok(pid);
  process.kill(pid, "SIGKILL");
  await until(async () => (await open()).length === 0, { ...patience, what: "no interaction is open" });
  const { resolution, cause } = session.all("interaction_resolved").at(-1) ?? {};
  assert.deepEqual([resolution, cause], ["expired", "agent_gone"]);
  await scene.assertUsable();
}
