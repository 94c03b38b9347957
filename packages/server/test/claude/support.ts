import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { AgentFact } from "@drover/core";
import { mapSdkMessage } from "../../src/drivers/claude/map.ts";
import { MapState } from "../../src/drivers/claude/map-state.ts";
import { Reader } from "../../src/drivers/claude/reader.ts";
import type { Line } from "../../src/process/lines.ts";

export const now = Date.parse("2026-11-15T07:00:00.000Z");

/** The id of every recording's prompt. */
const recordedPrompt = "e2f3d08e-8c14-8091-880f-b2f23140aaae";

/** The state within the recorded turn. */
export function newState(): MapState {
  const state = new MapState({ name: "Claude Code" });
  state.beginTurn({ id: "trn_recorded", uuid: recordedPrompt });
  return state;
}

export const newReader = (state = newState()): Reader => new Reader({ state, now: () => now });

export const asLines = (texts: readonly string[]): Line[] =>
  texts.map((text, index) => ({ kind: "line", text, end: index + 1 }));

/** Output of Claude Code 2.1.325 with a scripted model; paths are rewritten and unused lists are removed. */
export async function recorded(name: string): Promise<string[]> {
  const text = await readFile(join(import.meta.dirname, "transcripts", `${name}.jsonl`), "utf8");
  return text.trimEnd().split("\n");
}

export async function factsOf(name: string, state = newState()): Promise<AgentFact[]> {
  return newReader(state).read(asLines(await recorded(name))).facts;
}

/** The facts of these messages, one by one. */
export const mapped = (messages: readonly Record<string, unknown>[], state = newState()): AgentFact[] =>
  messages.flatMap((message) => mapSdkMessage(message, state, now));

export function only<T extends AgentFact["type"]>(
  facts: readonly AgentFact[],
  type: T,
): Extract<AgentFact, { type: T }>[] {
  return facts.filter((fact): fact is Extract<AgentFact, { type: T }> => fact.type === type);
}
