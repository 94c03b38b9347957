// Two sub-agents at work at the same time, each with tools of its own at once, beside tools of the agent itself.
import assert from "node:assert/strict";
import type { Interaction, Item } from "@drover/core";
import { until } from "../kit/until.ts";
import { scriptedPrompt } from "../models/script.ts";
import { patience, type Scene } from "./stage.ts";

/** Who does what: every word and every command occurs once. */
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

/** Approves whatever is asked until the turn ends; what was asked. */
async function approveAll(scene: Scene, messageId: string): Promise<Interaction[]> {
  const asked: Interaction[] = [];
  const answerAll = async () => {
    for (const interaction of await scene.session.openInteractions()) {
      asked.push(interaction);
      await scene.approve(interaction);
    }
    return scene.session.all("done").length > 0;
  };
  await until(answerAll, { ...patience, what: "the turn ends" });
  assert.equal((await scene.done(messageId)).reason, "end_turn");
  return asked;
}

/** The result that belongs to a command: its own words and no other's. */
function ranItself({ result }: Tool, command: string): void {
  const words = JSON.stringify(result).match(/(?:fox|owl|own)-\d/g) ?? [];
  assert.deepEqual([...new Set(words)], [command.split(" ")[1]]);
}

export async function delegate(scene: Scene): Promise<void> {
  const { messageId } = await scene.session.send(prompt);
  const asked = await approveAll(scene, messageId);
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
    for (const tool of own) ranItself(tool, command);
  }
  assert.deepEqual(asked.map(({ input }) => commandOf(input)).sort(), commands.sort());
  for (const { toolCallId, input } of asked) {
    const tool = tools.find((one) => one.toolCallId === toolCallId);
    assert.equal(commandOf(tool?.input), commandOf(input));
  }
  assert.equal((await scene.notes())?.trim().split("\n").length, commands.length);
}
