import { z } from "zod";
import type { Immutable } from "./immutable.ts";

/** At least 256 random bits, in characters that are allowed in a header and in a WebSocket's subprotocol. */
const loginKey = z
  .string()
  .regex(/^[\w-]{43,128}$/, "a key has 43 to 128 letters, digits, - or _: at least 256 random bits");

export const loginSchema = z.union([
  z.strictObject({ code: z.string().min(1).max(200), key: loginKey }),
  z.strictObject({ token: z.string().min(1).max(1000), key: loginKey }),
]);

export const loginListSchema = z.object({
  logins: z.array(
    z.object({
      id: z.string(),
      /** Which browser it is: `Firefox on Linux`. */
      label: z.string(),
      createdAt: z.string(),
      /** Accurate to the hour. */
      lastUsedAt: z.string(),
      /** The one this request came with. */
      current: z.literal(true).optional(),
    }),
  ),
});
export type LoginInfo = Immutable<z.infer<typeof loginListSchema>>["logins"][number];
