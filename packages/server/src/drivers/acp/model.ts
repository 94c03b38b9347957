import type { ModelOffer } from "@drover/core";
import { type Json, record, records, text } from "../json.ts";

/** How an agent's model is selected: by a session option, or by the older dedicated method. */
export interface ModelChoice {
  readonly by: { readonly option: string } | "session/set_model";
  readonly current?: string | undefined;
}

/** Reads the responses that list a session's options (`session/new`, `load`, `resume`, `set_config_option`). */
export function modelOf(answer: unknown): ModelChoice | undefined {
  const response = record(answer);
  const option = modelOption(response);
  const id = text(option?.["id"]);
  if (option && id) return { by: { option: id }, current: text(option["currentValue"]) };
  // Not in the stable protocol; Codex's adapter 2.6 has it.
  const models: Json = record(response["models"]);
  if (!Array.isArray(models["availableModels"])) return undefined;
  return { by: "session/set_model", current: text(models["currentModelId"]) };
}

/** The list is held for as long as the agent runs and shown with it. */
const MAX_MODELS = 1_000;
const MAX_NAME = 500;

/** The models to choose from, read from the same responses. The values of an option may be grouped. */
export function offeredModels(answer: unknown): ModelOffer[] {
  const response = record(answer);
  const values = records(modelOption(response)?.["options"]).flatMap((one) =>
    Array.isArray(one["options"]) ? records(one["options"]) : [one],
  );
  const models = records(record(response["models"])["availableModels"]);
  return [...values, ...models].slice(0, MAX_MODELS).flatMap((one) => {
    const id = text(one["value"]) ?? text(one["modelId"]);
    if (!id || id.length > MAX_NAME) return [];
    return [{ id, name: (text(one["name"]) || id).slice(0, MAX_NAME) }];
  });
}

function modelOption(response: Json): Json | undefined {
  const options = records(response["configOptions"]);
  return options.find((one) => one["id"] === "model") ?? options.find((one) => one["category"] === "model");
}
