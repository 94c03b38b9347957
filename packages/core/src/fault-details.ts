import { z } from "zod";

/** A login method that an agent offers, in its own words. */
export const authMethodSchema = z.object({ name: z.string(), description: z.string().optional() });
export type AuthMethod = z.infer<typeof authMethodSchema>;

/** What is known about a failure besides its message. */
export const faultDetailsSchema = z.object({
  /** What happened, if the message alone does not say it. */
  reason: z.string().optional(),
  authMethods: z.array(authMethodSchema).optional(),
  /** The end of stderr of an agent that could not be reached or crashed. */
  stderrTail: z.string().optional(),
  /** The signal that ended an agent, such as SIGKILL. */
  endedBy: z.string().optional(),
  /** A command that failed, how it exited (null: it was killed, or never started) and the end of its output. */
  command: z.string().optional(),
  exit: z.number().nullable().optional(),
  tail: z.string().optional(),
});
export type KnownDetails = z.infer<typeof faultDetailsSchema>;
/** As any fault may have them among its facts. */
export type FaultDetails = { readonly [K in keyof KnownDetails]?: unknown };
