import { z } from "zod";

/** A way to log in that an agent offers, in its own words. */
export const authMethodSchema = z.object({ name: z.string(), description: z.string().optional() });
export type AuthMethod = z.infer<typeof authMethodSchema>;

/** What is known of a failure besides its message. */
export const faultDetailsSchema = z.object({
  /** What happened, where the message alone does not say it. */
  reason: z.string().optional(),
  authMethods: z.array(authMethodSchema).optional(),
  /** The last words on stderr of an agent that could not be reached or crashed. */
  stderrTail: z.string().optional(),
});
export type FaultDetails = { [K in keyof z.infer<typeof faultDetailsSchema>]?: unknown };

/** The details among a fault's facts; undefined when there are none. */
export function faultDetails(facts: FaultDetails): z.infer<typeof faultDetailsSchema> | undefined {
  const { reason, authMethods, stderrTail } = facts;
  const details = faultDetailsSchema.safeParse({ reason, authMethods, stderrTail });
  if (!details.success) return undefined;
  const known = Object.entries(details.data).filter(([, value]) => value !== undefined);
  return known.length > 0 ? Object.fromEntries(known) : undefined;
}

/** A failure and what happened. */
export function faultSentence(message: string, { reason }: FaultDetails): string {
  if (typeof reason !== "string" || reason === "" || message.includes(reason)) return message;
  return /[.!?]$/.test(message) ? `${message} (${reason})` : `${message}: ${reason}`;
}

/** The ways to log in as a person reads them, one line each. */
export const loginLines = (methods: readonly AuthMethod[] = []): string[] =>
  methods.map(({ name, description }) => (description ? `${name}: ${description}` : name));
