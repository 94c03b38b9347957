import { z } from "zod";
import { capabilitiesSchema, lacks, permissionModes } from "../agent.ts";
import type { Immutable } from "./immutable.ts";

/** A model an agent can be told to use; `id` is what it is asked for by. */
export const modelOfferSchema = z.object({ id: z.string(), name: z.string() });
export type ModelOffer = Immutable<z.infer<typeof modelOfferSchema>>;

export const agentInfoSchema = z.object({
  agent: z.string(),
  name: z.string(),
  driver: z.string(),
  /** Its program in full when it was found, else as configured. */
  command: z.string(),
  installed: z.boolean(),
  version: z.string().optional(),
  login: z.enum(["ok", "missing", "unknown"]),
  connections: z.array(z.object({ sessionId: z.string(), status: z.string(), attempt: z.number() })),
  capabilities: capabilitiesSchema,
  /** The permission modes its sessions may have. */
  modes: z.array(z.enum(permissionModes)),
  /** What its sessions cannot be given. */
  lacks: z.array(z.enum(lacks)),
  /** The models it offers, known while one of its processes runs. */
  models: z.array(modelOfferSchema).optional(),
  /** What adding it installs from npm; absent where Drover cannot. */
  package: z.object({ name: z.string(), version: z.string() }).optional(),
  /** What was tried with which version, in words. */
  verified: z.string().optional(),
  /** What a person does so that it can be used: install it, or log in; commands stand between backticks. */
  remedy: z.string().optional(),
});
export type AgentInfo = Immutable<z.infer<typeof agentInfoSchema>>;

/** What can be found out about an agent without starting it. */
export type InspectedAgent = Pick<
  AgentInfo,
  "installed" | "command" | "version" | "login" | "package" | "verified" | "remedy"
>;

export const agentListSchema = z.object({ agents: z.array(agentInfoSchema) });

/** A conversation an agent could go on with, and the session that has it. */
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
