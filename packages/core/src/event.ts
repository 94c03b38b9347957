import { z } from "zod";
import { agentModeSchema } from "./agent.ts";
import { agentCommandSchema } from "./agent-commands.ts";
import { attachmentSchema } from "./attachment.ts";
import { turnChangesSchema } from "./checkpoint.ts";
import { faultCodes } from "./error.ts";
import { faultDetailsSchema } from "./fault-details.ts";
import { expiryFollowUps, interactionSchema, resolutions, scopes } from "./interaction.ts";
import { itemSchema, taskSchema, toolOutcomeSchema } from "./item.ts";
import { reviewSchema } from "./review.ts";
import { toolKindSchema } from "./tool-kind.ts";
import { proposalCountsSchema } from "./worker/proposal.ts";
import { workerCommitsSchema, workerSignalSchema } from "./worker/view.ts";

export const sessionStates = [
  "stopping",
  "crashed",
  "stopped",
  "waiting_for_quota",
  "queued",
  "waiting_for_input",
  "stalled",
  "starting",
  "running",
  "idle",
] as const;
export type SessionStateName = (typeof sessionStates)[number];

export const doneReasons = [
  "end_turn",
  "waiting_for_input",
  "max_tokens",
  "max_turns",
  "refusal",
  "cancelled",
  "usage_limit",
  "auth",
  "timeout",
  "error",
  "crashed",
  "uncertain",
] as const;
export type DoneReason = (typeof doneReasons)[number];

/** A turn that has ended. */
export const lastTurnSchema = z.object({
  id: z.string(),
  startedAt: z.string(),
  endedAt: z.string(),
  reason: z.enum(doneReasons),
  ok: z.boolean(),
  /** What went wrong, in words. */
  message: z.string().optional(),
  /** When the usage limit that ended it resets. */
  until: z.string().optional(),
});
export type LastTurn = z.infer<typeof lastTurnSchema>;

export const usageSchema = z.object({
  inputTokens: z.number(),
  outputTokens: z.number(),
  costUsd: z.number().optional(),
  contextTokens: z.number().optional(),
  contextMaxTokens: z.number().optional(),
});
export type Usage = z.infer<typeof usageSchema>;

export const queuedMessageSchema = z.object({
  messageId: z.string(),
  content: z.string(),
  by: z.string(),
  at: z.string(),
  /** The sender's `X-Client-Id`, which holds the lock while this message's turn is running. */
  clientId: z.string().optional(),
  /** To be delivered in the running turn; if that ends first, it starts the next one. */
  steer: z.boolean().optional(),
  attachments: z.array(attachmentSchema).readonly().optional(),
  /** Stays in the queue until this time; messages behind it may start before. */
  notBefore: z.string().optional(),
});
export type QueuedMessage = z.infer<typeof queuedMessageSchema>;

const retrySchema = z.union([z.enum(["never", "same", "other-account"]), z.object({ afterMs: z.number() })]);
const wireFaultSchema = z.object({
  code: z.enum(faultCodes),
  message: z.string(),
  retry: retrySchema,
  until: z.string().optional(),
  afterMs: z.number().optional(),
  ...faultDetailsSchema.shape,
});
const toolCallId = z.string();
const itemId = z.string();

/**
 * THE table: every event a session's log may hold; nothing else is stored or sent. `delta` events are stored while
 * their item is open; once it has closed, one `item` may replace them under the same numbers. `logged` events stay as
 * they are forever.
 */
export const eventTable = {
  turn_start: {
    durability: "logged",
    body: z.object({ turnId: z.string(), messageId: z.string(), lockedBy: z.string() }),
  },
  message: {
    durability: "logged",
    body: z.object({
      itemId,
      messageId: z.string(),
      content: z.string(),
      by: z.string(),
      attachments: z.array(attachmentSchema).readonly().optional(),
    }),
  },
  text_delta: {
    durability: "delta",
    body: z.object({ itemId, text: z.string(), parentToolCallId: z.string().optional() }),
  },
  thinking_delta: {
    durability: "delta",
    body: z.object({ itemId, text: z.string(), parentToolCallId: z.string().optional() }),
  },
  tool_call_start: {
    durability: "logged",
    body: z.object({
      toolCallId,
      toolName: z.string(),
      kind: toolKindSchema,
      title: z.string(),
      parentToolCallId: z.string().optional(),
    }),
  },
  tool_call_delta: { durability: "logged", body: z.object({ toolCallId, inputText: z.string() }) },
  tool_call_end: {
    durability: "logged",
    body: z.object({ toolCallId, input: z.unknown(), title: z.string().optional() }),
  },
  tool_result: {
    durability: "logged",
    body: z.object({
      toolCallId,
      toolName: z.string(),
      status: toolOutcomeSchema,
      result: z.unknown(),
    }),
  },
  item: { durability: "logged", body: z.object({ item: itemSchema }) },
  task_update: {
    durability: "logged",
    body: z.object({
      action: z.enum(["create", "update", "snapshot"]),
      task: taskSchema.optional(),
      tasks: z.array(taskSchema).optional(),
    }),
  },
  session_status: {
    durability: "logged",
    body: z.object({
      state: z.enum(sessionStates),
      model: z.string().optional(),
      agentMode: agentModeSchema.optional(),
      reason: z.object({ code: z.string(), message: z.string() }).loose().optional(),
      ...usageSchema.partial().shape,
    }),
  },
  approval_required: { durability: "logged", body: interactionSchema },
  question_prompt: { durability: "logged", body: interactionSchema },
  interaction_resolved: {
    durability: "logged",
    body: z.object({
      interactionId: z.string(),
      toolCallId,
      kind: z.enum(["approval", "question"]),
      resolution: z.enum(resolutions),
      by: z.string(),
      reason: z.string().optional(),
      scope: z.enum(scopes).optional(),
      answers: interactionSchema.shape.answers,
      cause: interactionSchema.shape.cause,
      reasonDelivered: z.boolean().optional(),
    }),
  },
  interaction_followed_up: {
    durability: "logged",
    body: z.object({
      interactionId: z.string(),
      toolCallId,
      kind: z.enum(["approval", "question"]),
      followUp: z.enum(expiryFollowUps),
      by: z.string(),
    }),
  },
  queue_update: {
    durability: "logged",
    body: z.object({ paused: z.boolean(), messages: z.array(queuedMessageSchema) }),
  },
  /** The agent's own commands, whenever they change. `digest` is the same for the same list. */
  commands: {
    durability: "logged",
    body: z.object({ commands: z.array(agentCommandSchema), digest: z.string() }),
  },
  /** What a worker reported at the end of an attempt. */
  signal: { durability: "logged", body: workerSignalSchema },
  /** What a worker's branch has gained since its last turn. */
  commits: { durability: "logged", body: workerCommitsSchema },
  /** What a worker's run has proposed. */
  proposals_created: { durability: "logged", body: proposalCountsSchema },
  notice: {
    durability: "logged",
    body: z.object({ code: z.string(), message: z.string(), facts: z.record(z.string(), z.unknown()) }),
  },
  error: { durability: "logged", body: wireFaultSchema },
  done: {
    durability: "logged",
    body: z.object({
      turnId: z.string(),
      reason: z.enum(doneReasons),
      ok: z.boolean(),
      partial: z.boolean(),
      error: wireFaultSchema.optional(),
      usage: usageSchema.optional(),
    }),
  },
  /** Follows `done`, of turns that changed files. A revert has an id like a turn's, and one of these. */
  turn_changes: { durability: "logged", body: z.object({ turnId: z.string(), ...turnChangesSchema.shape }) },
  /** How the review of a session in a worktree stands, whenever that changes. `by`: the person who decided it. */
  review: { durability: "logged", body: z.object({ ...reviewSchema.shape, by: z.string().optional() }) },
} as const satisfies Record<string, { durability: "logged" | "delta"; body: z.ZodObject }>;

export type EventType = keyof typeof eventTable;

/** An event before it has its number: what deciders produce. */
export type EventBody = {
  [T in EventType]: { type: T; turnId?: string | undefined } & z.infer<(typeof eventTable)[T]["body"]>;
}[EventType];

/** What the store adds: numbers `from`…`seq`, the time and the session. */
export interface Envelope {
  readonly seq: number;
  readonly from: number;
  readonly at: string;
  readonly sessionId: string;
}

export type SessionEvent = EventBody & Envelope;
export type EventOf<T extends EventType> = Extract<SessionEvent, { type: T }>;
