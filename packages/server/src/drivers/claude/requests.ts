import { type AgentAnswer, type AgentFact, numberQuestions, type Question } from "@drover/core";
import { isRecord, type Json, record, records, text } from "../json.ts";
import type { AgentRequestMessage } from "../open-requests.ts";
import { readyCall, startCall } from "./map.ts";
import type { MapState } from "./map-state.ts";
import type { PermissionResult } from "./sdk-types.ts";
import { isKnown, kindOf, titleOf } from "./tools.ts";

const QUESTION_TOOL = "AskUserQuestion";

/** What a `can_use_tool` asks a person. The agent may ask before it has announced the call. */
export function mapRequest({ requestKey, message }: AgentRequestMessage, state: MapState): AgentFact[] {
  const request = record(message["request"]);
  const toolName = text(request["tool_name"]) ?? "tool";
  const toolCallId = text(request["tool_use_id"]) ?? requestKey;
  const facts: AgentFact[] = [];
  startCall({ type: "tool_use", id: toolCallId, name: toolName }, { parent: "", state }, facts);
  readyCall(toolCallId, { input: request["input"], state }, facts);
  const input = isKnown(request["input"]) ? request["input"] : state.calls.get(toolCallId)?.input;
  const title = titleOf(toolName, input);
  if (toolName === QUESTION_TOOL) {
    const questions = questionsOf(input);
    const first = questions[0]?.question ?? title;
    facts.push({ type: "question_request", requestKey, toolCallId, title: first, questions });
  } else {
    const toolKind = kindOf(toolName);
    facts.push({ type: "approval_request", requestKey, toolCallId, toolName, toolKind, title, input });
  }
  return facts;
}

function questionsOf(input: unknown): Question[] {
  const asked = records(record(input)["questions"]).map((question) => {
    const header = text(question["header"]);
    return {
      ...(header ? { header } : {}),
      question: text(question["question"]) ?? "",
      options: records(question["options"]).map(optionOf),
      multiSelect: question["multiSelect"] === true,
    };
  });
  return numberQuestions(asked);
}

function optionOf(option: Json): Question["options"][number] {
  const description = text(option["description"]);
  return { label: text(option["label"]) ?? "", ...(description ? { description } : {}) };
}

/** The answer in the agent's format. */
export function permissionResult(message: Json, answer: AgentAnswer): PermissionResult {
  const input = { ...record(record(message["request"])["input"]) };
  switch (answer.type) {
    case "approved":
      return { behavior: "allow", updatedInput: isRecord(answer.input) ? { ...answer.input } : input };
    case "denied":
      return { behavior: "deny", message: answer.message };
    case "answered":
      return { behavior: "allow", updatedInput: { ...input, answers: answersOf(input, answer.answers) } };
    case "cancelled":
      return { behavior: "deny", message: "The turn was cancelled", interrupt: true };
  }
}

/** By question text, with several labels joined the way the agent does it (2.1.325). */
function answersOf(
  input: Json,
  answers: Readonly<Record<string, string | string[]>>,
): Record<string, string> {
  const byQuestion: Record<string, string> = {};
  for (const { id, question } of questionsOf(input)) {
    const answer = answers[id];
    if (answer !== undefined) byQuestion[question] = Array.isArray(answer) ? answer.join(", ") : answer;
  }
  return byQuestion;
}

/** A call with the input a person substituted: people see what actually runs. */
export function amendedCall(message: Json, input: unknown): AgentFact[] {
  const { tool_use_id, tool_name } = record(message["request"]);
  const toolCallId = text(tool_use_id);
  const title = titleOf(text(tool_name) ?? "tool", input);
  return toolCallId === undefined ? [] : [{ type: "tool_ready", toolCallId, input, title }];
}
