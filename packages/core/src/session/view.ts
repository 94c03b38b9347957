import { z } from "zod";
import { agentModeSchema, capabilitiesSchema, driverNames, permissionModes } from "../agent.ts";
import { agentCommandSchema } from "../agent-commands.ts";
import { attachedFilesSchema, storedFilesSchema } from "../attachment.ts";
import { bounds } from "../bounds.ts";
import { lastTurnSchema, sessionStates, usageSchema } from "../event.ts";
import { mcpServersSchema } from "../mcp-servers.ts";
import { nameSchema } from "../name.ts";
import { reviewSchema } from "../review.ts";
import { connectionSchema } from "../supervision.ts";
import { maxPromptBytes } from "../text.ts";
import { accountIdSchema } from "../wire/accounts.ts";
import { workerSchema } from "../worker/view.ts";
import { sessionWorkspaceSchema, workspaceModes } from "../workspace.ts";

/** A session as clients see it. */
export const sessionSchema = z.object({
  id: z.string(),
  name: z.string(),
  title: z.string(),
  kind: z.enum(["session", "worker"]),
  agent: z.string(),
  driver: z.enum(driverNames),
  state: z.enum(sessionStates),
  reason: z
    .object({
      code: z.string(),
      message: z.string(),
      until: z.string().optional(),
      stderrTail: z.string().optional(),
    })
    .optional(),
  archived: z.boolean(),
  cwd: z.string(),
  projectId: z.string().optional(),
  workspace: sessionWorkspaceSchema,
  permissionMode: z.enum(permissionModes),
  /** The modes its agent offers, if these are not all. */
  modes: z.array(z.enum(permissionModes)).optional(),
  model: z.string().optional(),
  agentMode: agentModeSchema.optional(),
  /** The account that a person chose, else the one that its last turn used. */
  account: z.string().optional(),
  /** A person chose the account. */
  isAccountFixed: z.literal(true).optional(),
  agentSessionId: z.string().optional(),
  run: z.number(),
  connection: connectionSchema,
  turn: z.object({ id: z.string(), messageId: z.string(), startedAt: z.string() }).optional(),
  lastTurn: lastTurnSchema.optional(),
  /** A turn has ended, or a review has opened, since a person last looked. */
  unread: z.literal(true).optional(),
  lock: z.object({ lockedBy: z.string(), lockedAt: z.string() }).optional(),
  queued: z.number(),
  queuePaused: z.boolean(),
  openInteractions: z.number(),
  usage: usageSchema,
  /** How its work stands, if it works in a worktree. */
  review: reviewSchema.optional(),
  worker: workerSchema.optional(),
  capabilities: capabilitiesSchema,
  /** The agent's own commands; only in the answer about a single session. */
  commands: z.array(agentCommandSchema).optional(),
  lastSeq: z.number(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type Session = z.infer<typeof sessionSchema>;

/** Becomes an argument of an agent's program: a text that starts like an option would be taken for one. */
const argument = (max: number) =>
  z.string().min(1).max(max).regex(/^[^-]/, "it must not start with -, like an option");

/** Part of the contract, but of a later version: rejected by name whatever their value. */
const later = z.unknown().optional();

export const createSessionSchema = z.strictObject({
  agent: z.string().min(1).max(bounds.id),
  cwd: z.string().min(1).max(bounds.path),
  title: z.string().max(500).optional(),
  name: nameSchema.optional(),
  workspace: z.enum(workspaceModes).optional(),
  /** For a worktree: the branch, tag or commit it starts from. */
  base: argument(500).optional(),
  /** For a worktree: takes up the existing branch of this name as it is. */
  reattach: z.boolean().optional(),
  confined: z.boolean().optional(),
  permissionMode: z.enum(permissionModes).optional(),
  model: argument(200).optional(),
  account: accountIdSchema.optional(),
  system: z.string().max(maxPromptBytes).optional(),
  instructionFile: z.string().max(bounds.path).optional(),
  mcpServers: mcpServersSchema.optional(),
  agentSessionId: argument(500).optional(),
  tools: later,
  network: later,
});
export type CreateSession = z.infer<typeof createSessionSchema>;

export const forkSessionSchema = z.strictObject({
  /** The number of the last event to keep; everything if omitted. */
  at: z.number().int().min(1).optional(),
  title: z.string().max(500).optional(),
  /** A worktree of its own, with the files of that moment; without it, the fork works in the same directory. */
  workspace: z.literal("worktree").optional(),
});
export type ForkSession = z.infer<typeof forkSessionSchema>;

export const patchSessionSchema = z.strictObject({
  title: z.string().max(500).optional(),
  name: nameSchema.optional(),
  archived: z.boolean().optional(),
  permissionMode: z.enum(permissionModes).optional(),
  model: argument(200).optional(),
  mcpServers: mcpServersSchema.optional(),
  /** Null: Drover chooses one for each turn. */
  account: accountIdSchema.nullable().optional(),
});
export type PatchSession = z.infer<typeof patchSessionSchema>;

export const markSeenSchema = z.strictObject({
  /** The number of the last event that the person has seen. */
  seq: z.number().int().min(0),
});
export type MarkSeen = z.infer<typeof markSeenSchema>;

/** Its length is limited in bytes, with the answer PROMPT_TOO_LARGE. */
const messageText = z.string().min(1).max(bounds.body);
const otherId = z.string().max(bounds.id);

/** When a message is to be sent, for example when a usage limit resets. */
const timeField = z.iso.datetime({ offset: true }).max(40);

export const sendMessageSchema = z.strictObject({
  content: messageText,
  clientMessageId: z.string().min(1).max(200).optional(),
  disposition: z.enum(["queue", "steer"]).default("queue"),
  attachments: attachedFilesSchema.optional(),
  notBefore: timeField.optional(),
});
export type SendMessage = z.infer<typeof sendMessageSchema>;

export const receiptSchema = z.object({
  messageId: z.string(),
  clientMessageId: z.string().optional(),
  sessionId: z.string(),
  turnId: z.string().optional(),
  queuePosition: z.number(),
  requested: z.enum(["queue", "steer"]),
  applied: z.enum(["started", "queued", "steered"]),
  degradedBecause: z.enum(["unsupported", "idle", "open-interaction"]).optional(),
  cursor: z.number(),
});
export type Receipt = z.infer<typeof receiptSchema>;

export const enqueueSchema = z.strictObject({
  content: messageText,
  notBefore: timeField.optional(),
  /** The message it goes before; the end of the queue if omitted. */
  before: otherId.optional(),
  /** Attachments of an earlier message of the session, such as one that was removed from the queue. */
  attachments: storedFilesSchema.optional(),
});
export type Enqueue = z.infer<typeof enqueueSchema>;

export const editQueueSchema = z.strictObject({
  content: messageText.optional(),
  move: z.union([z.strictObject({ before: otherId }), z.strictObject({ after: otherId })]).optional(),
});
export type EditQueue = z.infer<typeof editQueueSchema>;
