import {
  bounds,
  capabilitiesSchema,
  interactionSchema,
  itemSchema,
  lacks,
  permissionModes,
  queuedMessageSchema,
  recordOf,
  sessionSchema,
  sessionStates,
} from "@drover/core";
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

export const projectSchema = z.object({
  id: z.string(),
  path: z.string(),
  name: z.string(),
  trusted: z.boolean(),
  env: z.array(z.string()),
});

export const addProjectSchema = z.strictObject({
  path: z.string().min(1).max(bounds.path),
  name: z.string().min(1).max(200).optional(),
});

export const patchProjectSchema = z.strictObject({
  name: z.string().min(1).max(200).optional(),
  trusted: z.boolean().optional(),
  env: recordOf(
    z
      .string()
      .max(bounds.name)
      .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "a variable's name has letters, digits and _ only"),
    z.string().max(bounds.value).nullable(),
    200,
  ).optional(),
});

export const agentInfoSchema = z.object({
  agent: z.string(),
  name: z.string(),
  driver: z.string(),
  command: z.string(),
  installed: z.boolean(),
  version: z.string().optional(),
  login: z.enum(["ok", "missing", "unknown"]),
  connections: z.array(z.object({ sessionId: z.string(), status: z.string(), attempt: z.number() })),
  capabilities: capabilitiesSchema,
  modes: z.array(z.enum(permissionModes)),
  lacks: z.array(z.enum(lacks)),
  models: z.array(z.object({ id: z.string(), name: z.string() })).optional(),
  package: z.object({ name: z.string(), version: z.string() }).optional(),
  verified: z.string().optional(),
  remedy: z.string().optional(),
});

export const conversationListSchema = z.object({
  conversations: z.array(
    z.object({
      agentSessionId: z.string(),
      title: z.string(),
      cwd: z.string(),
      updatedAt: z.string(),
      /** The session that has it. */
      sessionId: z.string().optional(),
    }),
  ),
});

export const queueSchema = z.object({ paused: z.boolean(), messages: z.array(queuedMessageSchema) });
export const sessionListSchema = z.object({
  sessions: z.array(sessionSchema),
  before: z.string().optional(),
});
export const itemListSchema = z.object({
  items: z.array(itemSchema),
  before: z.number().optional(),
  after: z.number().optional(),
});
export const interactionListSchema = z.object({ interactions: z.array(interactionSchema) });
export const deletedSchema = z.object({ deleted: z.literal(true) });

/** At least 256 random bits, in characters that may stand in a header and in a WebSocket's subprotocol. */
const loginKey = z
  .string()
  .regex(/^[\w-]{43,128}$/, "a key is 43 to 128 letters, digits, - or _: at least 256 random bits");

export const loginSchema = z.union([
  z.strictObject({ code: z.string().min(1).max(200), key: loginKey }),
  z.strictObject({ token: z.string().min(1).max(1000), key: loginKey }),
]);

export const loginListSchema = z.object({
  logins: z.array(
    z.object({
      id: z.string(),
      label: z.string(),
      createdAt: z.string(),
      lastUsedAt: z.string(),
      /** The one this request came with. */
      current: z.literal(true).optional(),
    }),
  ),
});
