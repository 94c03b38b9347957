import { z } from "zod";
import { attachmentSchema } from "./attachment.ts";
import { turnChangesSchema } from "./checkpoint.ts";
import { faultDetailsSchema } from "./fault-details.ts";
import { toolKindSchema } from "./tool-kind.ts";

export const taskSchema = z.object({
  id: z.string(),
  title: z.string(),
  status: z.enum(["pending", "in_progress", "completed", "cancelled"]),
  priority: z.enum(["high", "medium", "low"]).optional(),
});
export type Task = z.infer<typeof taskSchema>;

/** How a tool call ended. `interrupted`: it did not finish because a person ended the turn. */
export const toolOutcomeSchema = z.enum(["complete", "error", "denied", "interrupted"]);
export type ToolOutcome = z.infer<typeof toolOutcomeSchema>;
export const toolStatusSchema = z.enum(["running", ...toolOutcomeSchema.options]);

/** One entry of a transcript: the result of the events of one message, text, tool call … */
export const itemSchema = z.object({
  id: z.string(),
  turnId: z.string().optional(),
  kind: z.enum(["user", "text", "thinking", "tool", "tasks", "notice", "changes"]),
  status: z.enum(["open", "complete", "partial"]),
  at: z.string(),
  /** The number of its first event: its position in the transcript. */
  seq: z.number(),
  text: z.string().optional(),
  by: z.string().optional(),
  attachments: z.array(attachmentSchema).readonly().optional(),
  code: z.string().optional(),
  /** What is known about a failure besides its message. */
  fault: faultDetailsSchema.optional(),
  parentToolCallId: z.string().optional(),
  tool: z
    .object({
      toolCallId: z.string(),
      toolName: z.string(),
      kind: toolKindSchema,
      title: z.string(),
      inputText: z.string().optional(),
      input: z.unknown().optional(),
      result: z.unknown().optional(),
      status: toolStatusSchema,
      parentToolCallId: z.string().optional(),
    })
    .optional(),
  tasks: z.array(taskSchema).optional(),
  changes: turnChangesSchema.optional(),
});
export type Item = z.infer<typeof itemSchema>;
