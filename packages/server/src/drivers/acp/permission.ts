import type { RequestPermissionResponse } from "@agentclientprotocol/sdk";
import type { AgentAnswer } from "@drover/core";
import type { FactBatch } from "../fact-batch.ts";
import { record, text } from "../json.ts";
import { choiceOf, chosenOption, offersOf, optionsOf } from "./permission-options.ts";
import { shownInput } from "./shown-input.ts";
import type { ToolCalls } from "./tool-calls.ts";

/** Adds the approval or choice that `session/request_permission` asks for; false if it names no tool call. */
export function mapPermission(
  request: { readonly requestKey: string; readonly params: unknown },
  tools: ToolCalls,
  facts: FactBatch,
): boolean {
  const call = tools.mention(record(record(request.params)["toolCall"]), "request_permission", facts);
  if (call === undefined) return false;
  const { toolCallId, toolName, kind, title, locations } = call;
  const options = optionsOf(request.params);
  const choice = choiceOf(options, title);
  const offers = choice ? undefined : offersOf(options);
  const shown = shownInput(call);
  call.asked = shown;
  facts.push({
    type: "approval_request",
    requestKey: request.requestKey,
    toolCallId,
    toolName,
    // An agent that asks to leave its planning mode has finished its plan: the plan is what gets approved.
    toolKind: kind === "switch_mode" ? "plan" : kind,
    title,
    ...shown,
    ...(locations.length > 0 ? { locations: [...locations] } : {}),
    ...(choice ? { choice } : {}),
    ...(offers ? { offers } : {}),
  });
  return true;
}

/** The tool call a request is about. */
export const permissionCall = (params: unknown): string | undefined =>
  text(record(record(params)["toolCall"])["toolCallId"]);

/** The protocol's answer; undefined if the agent offers no such option. */
export function permissionResponse(
  params: unknown,
  answer: AgentAnswer,
): RequestPermissionResponse | undefined {
  const options = optionsOf(params);
  switch (answer.type) {
    case "approved":
      return options.allowing[0] && selected(options.allowing[0]);
    case "denied": {
      const [no] = options.refusing;
      const reason = { _meta: { "drover/reason": answer.message } };
      return { ...(no && !(no.remembered && answer.unattended) ? selected(no) : cancelled), ...reason };
    }
    case "answered": {
      const chosen = chosenOption(options, answer.answers);
      return chosen ? selected(chosen) : cancelled;
    }
    case "cancelled":
      return cancelled;
  }
}

const cancelled: RequestPermissionResponse = { outcome: { outcome: "cancelled" } };

const selected = ({ id }: { readonly id: string }): RequestPermissionResponse => ({
  outcome: { outcome: "selected", optionId: id },
});
