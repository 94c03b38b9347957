import { bounds, sessionStates } from "@drover/core";
import { z } from "zod";

export const flag = z
  .enum(["true", "false", "1", "0"])
  .transform((value) => value === "true" || value === "1");

export const count = (fallback: number) => z.coerce.number().int().min(1).max(1000).default(fallback);

/** Query keys that several routes have. */
export const pathQuery = z.string().max(bounds.path).optional();
/** `queued` is the contract's, of a version with workers. */
export const stateQuery = z.enum([...sessionStates, "queued"]).optional();
export const cursorQuery = z.string().max(100).optional();
