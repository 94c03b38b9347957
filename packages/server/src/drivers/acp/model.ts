import { type Json, record, records, text } from "../json.ts";

/** How an agent's model can be chosen: by an option of the session, or by the older method of its own. */
export interface ModelChoice {
  readonly by: { readonly option: string } | "session/set_model";
  readonly current?: string | undefined;
}

/** Reads the answers that tell a session's options (`session/new`, `load`, `resume`, `set_config_option`). */
export function modelOf(answer: unknown): ModelChoice | undefined {
  const told = record(answer);
  const options = records(told["configOptions"]);
  const option =
    options.find((one) => one["category"] === "model") ?? options.find((one) => one["id"] === "model");
  const id = text(option?.["id"]);
  if (option && id) return { by: { option: id }, current: text(option["currentValue"]) };
  // Not in the stable protocol; Codex's adapter 2.6 has it.
  const models: Json = record(told["models"]);
  if (!Array.isArray(models["availableModels"])) return undefined;
  return { by: "session/set_model", current: text(models["currentModelId"]) };
}
