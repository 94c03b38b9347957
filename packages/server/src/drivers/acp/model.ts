import type { ModelOffer } from "@drover/core";
import { type Json, record, records, text } from "../json.ts";

/** How an agent's model can be chosen: by an option of the session, or by the older method of its own. */
export interface ModelChoice {
  readonly by: { readonly option: string } | "session/set_model";
  readonly current?: string | undefined;
}

/** Reads the answers that tell a session's options (`session/new`, `load`, `resume`, `set_config_option`). */
export function modelOf(answer: unknown): ModelChoice | undefined {
  const told = record(answer);
  const option = modelOption(told);
  const id = text(option?.["id"]);
  if (option && id) return { by: { option: id }, current: text(option["currentValue"]) };
  // Not in the stable protocol; Codex's adapter 2.6 has it.
  const models: Json = record(told["models"]);
  if (!Array.isArray(models["availableModels"])) return undefined;
  return { by: "session/set_model", current: text(models["currentModelId"]) };
}

/** They are held for as long as the agent runs, and listed with it. */
const MAX_MODELS = 1_000;
const MAX_NAME = 500;

/** What can be chosen from, by the same answers. An option's values may stand in groups. */
export function offeredModels(answer: unknown): ModelOffer[] {
  const told = record(answer);
  const values = records(modelOption(told)?.["options"]).flatMap((one) =>
    Array.isArray(one["options"]) ? records(one["options"]) : [one],
  );
  const models = records(record(told["models"])["availableModels"]);
  return [...values, ...models].slice(0, MAX_MODELS).flatMap((one) => {
    const id = text(one["value"]) ?? text(one["modelId"]);
    if (!id || id.length > MAX_NAME) return [];
    return [{ id, name: (text(one["name"]) || id).slice(0, MAX_NAME) }];
  });
}

function modelOption(told: Json): Json | undefined {
  const options = records(told["configOptions"]);
  return options.find((one) => one["id"] === "model") ?? options.find((one) => one["category"] === "model");
}
