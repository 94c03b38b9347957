import { z } from "zod";
import { queuedMessageSchema } from "../event.ts";
import { interactionSchema } from "../interaction.ts";
import { itemSchema } from "../item.ts";
import { sessionSchema } from "../session/view.ts";
import type { Immutable } from "./immutable.ts";

export const sessionListSchema = z.object({
  sessions: z.array(sessionSchema),
  /** The next page's `before`, if there is one. */
  before: z.string().optional(),
});
export type SessionList = z.infer<typeof sessionListSchema>;

/** `before` and `after` are where the adjacent pages start. */
export const itemListSchema = z.object({
  items: z.array(itemSchema),
  before: z.number().optional(),
  after: z.number().optional(),
});
export type ItemList = z.infer<typeof itemListSchema>;

export const interactionListSchema = z.object({ interactions: z.array(interactionSchema) });

export const queueSchema = z.object({ paused: z.boolean(), messages: z.array(queuedMessageSchema) });
export type Queue = Immutable<z.infer<typeof queueSchema>>;

export const deletedSchema = z.object({ deleted: z.literal(true) });
export type Deleted = z.infer<typeof deletedSchema>;

/** A deleted session: where work that no branch has can be found, and repositories that were in its worktree. */
export const deletedSessionSchema = deletedSchema.extend({
  kept: z.object({ ref: z.string(), branch: z.string(), commits: z.string().optional() }).optional(),
  moved: z.array(z.object({ from: z.string(), to: z.string() })).optional(),
});
export type DeletedSession = z.infer<typeof deletedSessionSchema>;
