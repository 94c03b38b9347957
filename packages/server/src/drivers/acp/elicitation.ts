import type { CreateElicitationResponse, ElicitationContentValue } from "@agentclientprotocol/sdk";
import type { AgentAnswer, Question } from "@drover/core";
import type { FactBatch } from "../fact-batch.ts";
import { isRecord, type Json, list, record, records, text } from "../json.ts";

/** Adds the questions of a form. False if the request is not a form, the only mode we support. */
export function mapElicitation(
  request: { readonly requestKey: string; readonly params: unknown },
  facts: FactBatch,
): boolean {
  const params = record(request.params);
  if (params["mode"] !== "form") return false;
  const message = text(params["message"]) ?? "";
  const fields = fieldsOf(params);
  const questions = fields.map((field) => questionOf(field, fields.length === 1 ? message : undefined));
  const toolCallId = text(params["toolCallId"]);
  facts.push({
    type: "question_request",
    requestKey: request.requestKey,
    ...(toolCallId ? { toolCallId } : {}),
    title: message,
    questions: questions.length > 0 ? questions : [confirmation(message)],
  });
  return true;
}

export function elicitationResponse(params: unknown, answer: AgentAnswer): CreateElicitationResponse {
  switch (answer.type) {
    case "answered":
      return { action: "accept", content: contentOf(fieldsOf(record(params)), answer.answers) };
    case "denied":
      return { action: "decline", _meta: { "drover/reason": answer.message } };
    case "approved":
    case "cancelled":
      return { action: "cancel" };
  }
}

interface Choice {
  readonly label: string;
  readonly value: ElicitationContentValue;
  readonly description?: string;
}

/** One property of a form. */
interface Field {
  readonly key: string;
  readonly schema: Json;
  readonly choices: readonly Choice[];
  readonly isList: boolean;
  /** The property that takes a free-text answer beside the choices of this one. */
  readonly ownWords: string | undefined;
}

/** Claude's adapter 0.99 adds a free-text field `KEY_custom` beside every choice `KEY`. */
const OWN_WORDS = "_custom";

function fieldsOf(params: Json): Field[] {
  const properties = record(record(params["requestedSchema"])["properties"]);
  const fields = Object.entries(properties).flatMap(([key, property]): Field[] => {
    if (!isRecord(property)) return [];
    const choices = choicesOf(property);
    const hasOwnWords = choices.length > 0 && isRecord(properties[key + OWN_WORDS]);
    const ownWords = hasOwnWords ? key + OWN_WORDS : undefined;
    return [{ key, schema: property, choices, isList: property["type"] === "array", ownWords }];
  });
  return fields.filter(({ key }) => !fields.some((other) => other.ownWords === key));
}

function choicesOf(schema: Json): Choice[] {
  if (schema["type"] === "boolean") return yesOrNo;
  const source = schema["type"] === "array" ? record(schema["items"]) : schema;
  const titled = records(source["oneOf"] ?? source["anyOf"]).flatMap((option) => {
    const value = text(option["const"]);
    const description = text(option["description"]);
    if (value === undefined) return [];
    return [{ label: text(option["title"]) || value, value, ...(description ? { description } : {}) }];
  });
  const plain = list(source["enum"]).flatMap((value) =>
    typeof value === "string" ? [{ label: value, value }] : [],
  );
  return titled.length > 0 ? titled : plain;
}

const yesOrNo: Choice[] = [
  { label: "Yes", value: true },
  { label: "No", value: false },
];

/** A form with one field uses its message as the question; the field's title is only a heading. */
function questionOf({ key, schema, choices, isList }: Field, message: string | undefined): Question {
  const title = text(schema["title"]);
  const question = message || text(schema["description"]) || title || key;
  return {
    id: key,
    ...(title && title !== question ? { header: title } : {}),
    question,
    options: choices.map(({ label, description }) => ({ label, ...(description ? { description } : {}) })),
    multiSelect: isList,
  };
}

/** A form without fields only asks for consent. */
const confirmation = (message: string): Question => ({
  id: "q1",
  question: message,
  options: [{ label: "OK" }],
  multiSelect: false,
});

type Content = Record<string, ElicitationContentValue>;

function contentOf(fields: readonly Field[], answers: Readonly<Record<string, string | string[]>>): Content {
  const content: Content = {};
  for (const field of fields) {
    const answer = answers[field.key];
    // An empty answer omits the field.
    const labels = [answer ?? []].flat().filter((one) => one !== "");
    Object.assign(content, fill(field, labels));
  }
  return content;
}

function fill(field: Field, labels: readonly string[]): Content {
  const { key, schema, isList, ownWords } = field;
  const own = ownWords ? labels.filter((one) => choiceValue(field, one) === undefined) : [];
  const values = labels
    .filter((one) => !own.includes(one))
    .map((one) => choiceValue(field, one) ?? convert(schema, one));
  const [first] = values;
  return {
    ...(first === undefined ? {} : { [key]: isList ? values.map(String) : first }),
    ...(ownWords && own.length > 0 ? { [ownWords]: own.join(", ") } : {}),
  };
}

const choiceValue = (field: Field, label: string): ElicitationContentValue | undefined =>
  field.choices.find((choice) => choice.label === label || choice.value === label)?.value;

function convert(schema: Json, answer: string): ElicitationContentValue {
  const isNumber = schema["type"] === "number" || schema["type"] === "integer";
  const value = Number(answer);
  return isNumber && Number.isFinite(value) ? value : answer;
}
