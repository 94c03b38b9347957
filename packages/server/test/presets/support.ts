import type { Preset } from "@drover/core";
import { shippedPresets } from "../../src/drivers/presets.ts";

const presets = new Map(shippedPresets("/programs").map((preset) => [preset.agent, preset]));

/** A shipped agent. */
export function find(agent: string): Preset {
  const preset = presets.get(agent);
  if (!preset) throw new Error(`${agent} is not shipped`);
  return preset;
}

/** The agents that are started for every prompt. */
export const commandLines = [...presets.values()].filter(
  ({ driver }) => driver === "jsonl" || driver === "text",
);
