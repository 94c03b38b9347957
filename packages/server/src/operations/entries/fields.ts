import { bounds, reviewStates, sessionStates } from "@drover/core";
import { z } from "zod";

/** The id by which a message names something. */
export const idField = z.string().max(bounds.id);
export const pathField = z.string().max(bounds.path).optional();
export const stateField = z.enum(sessionStates).optional();
/** Without `none`: a session that has changed nothing has no review. */
const reviewState = z.enum(reviewStates).exclude(["none"]);
export const reviewField = z.array(reviewState).min(1).max(reviewState.options.length).optional();
export const pageField = z.string().max(500).optional();

/** Booleans and numbers as text, in queries. */
export const flagText = z
  .enum(["true", "false", "1", "0"])
  .transform((value) => value === "true" || value === "1");
export const reviewText = z
  .string()
  .max(200)
  .transform((text) => text.split(","))
  .pipe(z.array(reviewState).max(reviewState.options.length))
  .optional();
export const countText = (fallback: number) => z.coerce.number().int().min(1).max(1000).default(fallback);
export const numberText = (min: number) => z.coerce.number().int().min(min);

/** The same record without keys whose value is undefined: the compiler distinguishes absent from undefined. */
export function withoutUndefined<T extends object>(record: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const entries = Object.entries(record).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]: Exclude<T[K], undefined> };
}
