import { type Json, record, text } from "../json.ts";
import { cut } from "../output.ts";

/** Why something failed, according to the line that says so. */
export function messageOf(message: Json, otherwise: string): string {
  const error = record(message["error"]);
  const candidates = [error["message"], message["error"], message["message"], message["result"]];
  return cut(candidates.map(text).find((words) => words) ?? otherwise);
}
