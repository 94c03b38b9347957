// One turn of the real Claude Code through its driver, and the requests of its model.
import assert from "node:assert/strict";
import type { AgentAnswer, AgentFact } from "@drover/core";
import type { AgentConnection } from "../../packages/server/src/ports.ts";
import { isAlive } from "../kit/processes.ts";
import { until } from "../kit/until.ts";
import type { Model } from "../models/model.ts";
import { scriptedPrompt } from "../models/script.ts";
import type { Check } from "./checks.ts";
import { inScene, type Journal, type Scene } from "./claude-scene.ts";

export const command = "echo x >> notes";
export const writing = scriptedPrompt({ say: "I write it down.", run: command }, { say: "Done." });

type Play = (scene: Scene) => Promise<void>;

export const checker =
  (installed: string) =>
  (title: string, play: Play): Check => ({ title, run: () => inScene(installed, play) });

/** The system text of the request that the model answered with `say`. */
export const systemOf = ({ requests }: Model, say: string) =>
  JSON.stringify(requests.findLast(({ step }) => step?.say === say)?.body["system"]);

/** The tool results in the model's newest request. */
export function toolResults({ requests }: Model): string[] {
  const body = requests.findLast(({ step }) => step !== undefined)?.body;
  const messages = (body?.["messages"] ?? []) as { content: unknown }[];
  const blocks = messages.flatMap(({ content }) => (Array.isArray(content) ? content : []));
  return blocks.filter((block) => block.type === "tool_result").map((block) => JSON.stringify(block));
}

/** Resolves once the end of the turn is recorded and its process has exited. */
export async function ended(connection: AgentConnection, journal: Journal) {
  const end = await journal.fact("turn_end");
  assert.equal(connection.isOver, true);
  const exit = await connection.ended;
  assert.equal(isAlive(connection.pid), false);
  return { end, exit };
}

/** The options that resume the conversation of this process. */
export function conversationOf({ agentSessionId }: AgentConnection): { agentSessionId: string } {
  assert.ok(agentSessionId, "the conversation's id is known");
  return { agentSessionId };
}

type Ask = Extract<AgentFact, { requestKey: string }>;

export function nextRequest(journal: Journal): Promise<Ask> {
  const isAsk = (fact: AgentFact): fact is Ask => "requestKey" in fact;
  return until(async () => (await journal.facts()).find(isAsk), { deadline: 60_000, what: "the agent asks" });
}

/** A turn of a new conversation in which the agent asks once. */
export async function answeredTurn(scene: Scene, prompt: string, answer: AgentAnswer) {
  const journal = scene.journal();
  const connection = await scene.open(journal);
  await connection.prompt("trn_one", prompt);
  const ask = await nextRequest(journal);
  await connection.answer(ask.requestKey, answer);
  return { ask, journal, connection, ...(await ended(connection, journal)) };
}

/** A turn without interactions. */
export async function plainTurn(scene: Scene, prompt: string, changes: Parameters<Scene["open"]>[1] = {}) {
  const journal = scene.journal();
  const connection = await scene.open(journal, changes);
  await connection.prompt("trn_one", prompt);
  return { journal, connection, ...(await ended(connection, journal)) };
}
