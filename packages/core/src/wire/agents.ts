import { z } from "zod";
import { capabilitiesSchema, lacks, permissionModes } from "../agent.ts";
import type { Immutable } from "./immutable.ts";

/** A model an agent can use; `id` is how it is requested. */
export const modelOfferSchema = z.object({ id: z.string(), name: z.string() });
export type ModelOffer = Immutable<z.infer<typeof modelOfferSchema>>;

export const agentInfoSchema = z.object({
  agent: z.string(),
  name: z.string(),
  driver: z.string(),
  /** The full path of its program if it was found, else as configured. */
  command: z.string(),
  installed: z.boolean(),
  version: z.string().optional(),
  login: z.enum(["ok", "missing", "unknown"]),
  connections: z.array(z.object({ sessionId: z.string(), status: z.string(), attempt: z.number() })),
  capabilities: capabilitiesSchema,
  /** The permission modes its sessions may have. */
  modes: z.array(z.enum(permissionModes)),
  /** What its sessions do not support. */
  lacks: z.array(z.enum(lacks)),
  /** The models it offers, known while one of its processes is running. */
  models: z.array(modelOfferSchema).optional(),
  /** What adding it installs from npm; absent if Drover cannot. */
  package: z.object({ name: z.string(), version: z.string() }).optional(),
  /** What was tested with which version, in words. */
  verified: z.string().optional(),
  /** How a person makes it usable: install it, or log in; commands are between backticks. */
  remedy: z.string().optional(),
});
export type AgentInfo = Immutable<z.infer<typeof agentInfoSchema>>;

/** What can be learned about an agent without starting it. */
export type InspectedAgent = Pick<
  AgentInfo,
  "installed" | "command" | "version" | "login" | "package" | "verified" | "remedy"
>;

export const agentListSchema = z.object({ agents: z.array(agentInfoSchema) });

/** A conversation an agent could continue, and the session that has it. */
export const conversationSchema = z.object({
  agentSessionId: z.string(),
  title: z.string(),
  cwd: z.string(),
  updatedAt: z.string(),
  /** The session that has it. */
  sessionId: z.string().optional(),
});
export type ConversationInfo = Immutable<z.infer<typeof conversationSchema>>;

export const conversationListSchema = z.object({ conversations: z.array(conversationSchema) });
