import type { RequestPermissionResponse } from "@agentclientprotocol/sdk";
import type { AgentAnswer, FileDiff } from "@drover/core";
import type { FactBatch } from "../fact-batch.ts";
import { isRecord, record, records, text } from "../json.ts";
import { contentOf, type ToolCall, type ToolCalls } from "./tool-calls.ts";

/** Adds the approval that `session/request_permission` asks for; false when it names no tool call. */
export function mapPermission(
  request: { readonly requestKey: string; readonly params: unknown },
  tools: ToolCalls,
  facts: FactBatch,
): boolean {
  const call = tools.mention(record(record(request.params)["toolCall"]), "request_permission", facts);
  if (call === undefined) return false;
  const { toolCallId, toolName, kind, title } = call;
  facts.push({
    type: "approval_request",
    requestKey: request.requestKey,
    toolCallId,
    toolName,
    // An agent asks to leave its planning mode when its plan is made: what is approved is the plan.
    toolKind: kind === "switch_mode" ? "plan" : kind,
    title,
    ...shownInput(call),
  });
  return true;
}

/** The protocol's own answer; undefined when the agent offers no way to say this. */
export function permissionResponse(
  params: unknown,
  answer: AgentAnswer,
): RequestPermissionResponse | undefined {
  switch (answer.type) {
    case "approved":
      // Never `allow_always`: agents write it into their own settings.
      return select(params, "allow_once");
    case "denied": {
      const reason = { _meta: { "drover/reason": answer.message } };
      return { ...(select(params, "reject_once") ?? cancelled), ...reason };
    }
    case "answered":
    case "cancelled":
      return cancelled;
  }
}

/** The tool call a permission is asked for. */
export const permissionCall = (params: unknown): string | undefined =>
  text(record(record(params)["toolCall"])["toolCallId"]);

const cancelled: RequestPermissionResponse = { outcome: { outcome: "cancelled" } };

/** By kind: ids mean something only to the agent. */
function select(params: unknown, kind: string): RequestPermissionResponse | undefined {
  const option = records(record(params)["options"]).find((one) => one["kind"] === kind);
  const optionId = text(option?.["optionId"]);
  return optionId === undefined ? undefined : { outcome: { outcome: "selected", optionId } };
}

/** What a person sees and approves: some agents describe a call by what it shows instead of its input, or beside it. */
function shownInput({ input, title, content }: ToolCall): { input: unknown; diffs?: FileDiff[] } {
  const isTold = input !== undefined && !(isRecord(input) && Object.keys(input).length === 0);
  const shown = contentOf(content);
  if (!isTold) return { input: { title, ...shown } };
  return { input, ...(shown.diffs ? { diffs: shown.diffs } : {}) };
}
