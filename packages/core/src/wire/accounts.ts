import { z } from "zod";
import { bounds, recordOf } from "../bounds.ts";
import { idSchema } from "../id.ts";
import type { Immutable } from "./immutable.ts";

/** `token`: one value for the agent's own variable. `env`: variables that a person named. `login`: the agent's own login. */
export const accountKinds = ["token", "env", "login"] as const;

/** A login at an agent's vendor. Its secrets go in, never out. */
export const accountSchema = z.object({
  id: z.string(),
  /** The agents that can use it have this group. */
  group: z.string(),
  label: z.string(),
  email: z.string().optional(),
  kind: z.enum(accountKinds),
  /** The names of its variables. */
  env: z.array(z.string()).optional(),
  /** Of the agent's own login: the file that has it. */
  path: z.string().optional(),
  /** Among accounts that were never used, the highest goes first. */
  priority: z.number(),
  enabled: z.boolean(),
  valid: z.boolean(),
  /** Why it is not valid. */
  reason: z.string().optional(),
  createdAt: z.string(),
  lastUsedAt: z.string().optional(),
  /** Its vendor's limit is reached until then; `assumed` if the vendor did not say when it ends. */
  exhausted: z.object({ until: z.string(), assumed: z.literal(true).optional() }).optional(),
  /** The sessions that a person gave this account, or whose turn runs on it. */
  sessions: z.array(z.object({ id: z.string(), name: z.string() })),
});
export type Account = Immutable<z.infer<typeof accountSchema>>;

export const accountListSchema = z.object({ accounts: z.array(accountSchema) });

const text = z
  .string()
  .min(1)
  .max(bounds.name)
  .regex(/^(?=.*\S)[^\p{C}]+$/u, "a text of one line");
const secret = z.string().min(1).max(bounds.value);

/** Drover's own variables say who an agent is. */
const variable = z
  .string()
  .max(bounds.name)
  .regex(
    /^(?!DROVER_)[A-Za-z_][A-Za-z0-9_]*$/,
    "a variable's name has letters, digits and _ only, and is not Drover's",
  );

const description = {
  label: text.optional(),
  email: text.optional(),
  priority: z.number().int().min(-1000).max(1000).optional(),
};
/** With exactly one of `token`, `env` and `path`. */
export const addAccountSchema = z.strictObject({
  /** Any agent of the group. */
  agent: z.string().min(1).max(bounds.id),
  ...description,
  /** The value of the agent's own variable, or the content of its login file. */
  token: secret.optional(),
  env: recordOf(variable, secret, 20).optional(),
  /** The file of an agent's own login, as it was found. */
  path: z.string().max(bounds.path).optional(),
});
export type AddAccount = z.infer<typeof addAccountSchema>;

export const patchAccountSchema = z.strictObject({
  ...description,
  enabled: z.boolean().optional(),
});
export type PatchAccount = z.infer<typeof patchAccountSchema>;

export const discoverAccountsSchema = z.strictObject({ agent: z.string().min(1).max(bounds.id).optional() });
export type DiscoverAccounts = z.infer<typeof discoverAccountsSchema>;

export const foundLoginsSchema = z.object({
  found: z.array(
    z.object({
      group: z.string(),
      /** An agent of the group. */
      agent: z.string(),
      path: z.string(),
      expiresAt: z.string().optional(),
      /** The account that already uses it. */
      known: z.string().optional(),
    }),
  ),
});
export type FoundLogins = Immutable<z.infer<typeof foundLoginsSchema>>;

/** The account that a person chooses for a session. */
export const accountIdSchema = idSchema("account");
