import { z } from "zod";

/** What a tool does, in the vocabulary agents share; `plan` is an approval of a plan. */
export const toolKinds = [
  "read",
  "edit",
  "delete",
  "move",
  "search",
  "execute",
  "think",
  "fetch",
  "switch_mode",
  "plan",
  "other",
] as const;
export const toolKindSchema = z.enum(toolKinds);
export type ToolKind = (typeof toolKinds)[number];

/** What an approval is about. `changes` comes from Drover alone: an agent can't claim it for a call. */
export const approvalKindSchema = z.enum([...toolKinds, "changes"]);
export type ApprovalKind = z.infer<typeof approvalKindSchema>;
