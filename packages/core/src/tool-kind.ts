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
