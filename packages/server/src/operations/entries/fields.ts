import { bounds, sessionStates } from "@drover/core";
import { z } from "zod";

/** The id of something, by which a message names it. */
export const idField = z.string().max(bounds.id);
export const pathField = z.string().max(bounds.path).optional();
/** `queued` belongs to workers, which this version does not have. */
export const stateField = z.enum([...sessionStates, "queued"]).optional();
export const pageField = z.string().max(500).optional();

/** Truth and numbers as text, in queries. */
export const flagText = z
  .enum(["true", "false", "1", "0"])
  .transform((value) => value === "true" || value === "1");
export const countText = (fallback: number) => z.coerce.number().int().min(1).max(1000).default(fallback);
export const numberText = (min: number) => z.coerce.number().int().min(min);

/** The same record without the keys that hold undefined: the compiler tells absent from undefined. */
export function withoutUndefined<T extends object>(record: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const entries = Object.entries(record).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]: Exclude<T[K], undefined> };
}
