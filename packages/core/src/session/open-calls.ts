import type { Item } from "../item.ts";
import type { Timeline } from "./timeline.ts";

/** Calls that were denied and that the agent has not closed. */
export const deniedCalls = ({ open }: Timeline): { toolCallId: string; toolName: string }[] =>
  Object.values(open).flatMap(({ item: { tool } }) =>
    tool?.status === "denied" ? [{ toolCallId: tool.toolCallId, toolName: tool.toolName }] : [],
  );

/** Running calls, by the agent's own ids: what another server needs to continue them. */
export const openCalls = ({ open }: Timeline): OpenToolCall[] =>
  Object.values(open).flatMap(({ item: { tool } }) => {
    if (!tool) return [];
    const { toolName, kind, title, input } = tool;
    return [{ toolCallId: agentCallId(tool.toolCallId), toolName, kind, title, input }];
  });

export type OpenToolCall = Pick<
  NonNullable<Item["tool"]>,
  "toolCallId" | "toolName" | "kind" | "title" | "input"
>;

/** The agent's id of a call; Drover numbers ids that an agent reuses. */
export const agentCallId = (toolCallId: string): string => toolCallId.replace(/~\d+$/, "");
