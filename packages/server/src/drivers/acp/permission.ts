import type { RequestPermissionResponse } from "@agentclientprotocol/sdk";
import type { AgentAnswer } from "@drover/core";
import type { FactBatch } from "../fact-batch.ts";
import { isRecord, type Json, record, text } from "../json.ts";
import { choiceOf, chosenOption, offersOf, optionsOf } from "./permission-options.ts";
import type { ToolCall, ToolCalls } from "./tool-calls.ts";

/** Adds the approval or choice that `session/request_permission` asks for; false when it names no tool call. */
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
  facts.push({
    type: "approval_request",
    requestKey: request.requestKey,
    toolCallId,
    toolName,
    // An agent asks to leave its planning mode when its plan is made: what is approved is the plan.
    toolKind: kind === "switch_mode" ? "plan" : kind,
    title,
    ...shownInput(call),
    ...(locations.length > 0 ? { locations: [...locations] } : {}),
    ...(choice ? { choice } : {}),
    ...(offers ? { offers } : {}),
  });
  return true;
}

/** The protocol's own answer; undefined when the agent offers no way to say this. */
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

/**
 * What a person sees and approves: some agents describe a call by what it shows instead of its input, or beside it. A
 * part that is neither plain text nor a diff stays as it is, and so do wrong or further keys of a diff.
 */
function shownInput({ input, title, content }: ToolCall): { input: unknown; diffs?: unknown[] } {
  const diffs = content.filter(isDiff).map(({ type: _, ...diff }) => diff);
  const shownDiffs = diffs.length > 0 ? { diffs } : {};
  const hasInput = input !== undefined && !(isRecord(input) && Object.keys(input).length === 0);
  if (hasInput) return { input, ...shownDiffs };
  const texts = content.flatMap((part) => plainWords(part) ?? []);
  const others = content.filter((part) => !isDiff(part) && plainWords(part) === undefined);
  return {
    input: {
      title,
      ...(texts.length > 0 ? { text: texts.join("\n") } : {}),
      ...shownDiffs,
      ...(others.length > 0 ? { content: others } : {}),
    },
  };
}

const isDiff = (part: unknown): part is Json => isRecord(part) && part["type"] === "diff";

/** The words of a part that has nothing but words. */
function plainWords(part: unknown): string | undefined {
  const { type, content, ...others } = record(part);
  const { type: kind, text: words, ...more } = record(content);
  const isPlain = type === "content" && kind === "text" && Object.keys({ ...others, ...more }).length === 0;
  return isPlain ? text(words) : undefined;
}
