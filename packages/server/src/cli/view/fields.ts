import type { Interaction, Offers, Question } from "@drover/core";

/** One value of an approval or question: plain text, any other value as JSON, or a text before and after a change. */
export type Field =
  | { readonly label: string; readonly kind: "text" | "json"; readonly value: string }
  | { readonly label: string; readonly kind: "diff"; readonly before: string | null; readonly after: string };

const ownLabels: ReadonlySet<string> = new Set([
  ...["tool", "title", "diff", "diffs", "input", "approve", "deny"],
  ...["key", "header", "question", "option", "note"],
]);
const simpleKey = /^[A-Za-z_][\w-]{0,23}$/;
const maxDepth = 6;

const beforeKeys = ["oldText", "old_string", "oldString"] as const;
const afterKeys = ["newText", "new_string", "newString"] as const;

export const textField = (label: string, value: string): Field => ({ label, value, kind: "text" });

/** Everything an approval or question contains: the whole input and every option. */
export function fieldsOf(interaction: Interaction): Field[] {
  const { kind, questions = [], offers } = interaction;
  const what = toolFields(interaction);
  if (kind === "question") return [...what, ...questions.flatMap(questionFields)];
  return [...what, ...offerFields("approve", offers?.approve), ...offerFields("deny", offers?.deny)];
}

/** What the agent wants to do. */
export function toolFields(interaction: Interaction): Field[] {
  const { kind, toolName, toolKind, title, input, diffs } = interaction;
  const tool = toolName ?? toolKind;
  // The title of a question repeats its text.
  const hasTitle = kind === "approval" && title !== undefined && title !== tool;
  return [
    ...(tool === undefined ? [] : [textField("tool", tool)]),
    ...(hasTitle ? [textField("title", title)] : []),
    ...(input === undefined ? [] : inputFields(input)),
    ...(diffs === undefined ? [] : valueFields("diffs", diffs, 1)),
  ];
}

/** The agent's own words for a decision, and whether it will remember it. */
function offerFields(label: string, offer: Offers["approve"]): Field[] {
  const words = [offer?.label, offer?.remembered ? "the agent will remember this answer" : undefined];
  const known = words.filter((one) => one !== undefined);
  return known.length > 0 ? [textField(label, known.join(" — "))] : [];
}

function questionFields({ id, options, ...question }: Question): Field[] {
  const choices = options.flatMap(({ label, description }) => [
    textField("option", label),
    ...(description === undefined ? [] : [textField("note", description)]),
  ]);
  return [textField("key", id), ...wording(question), ...choices];
}

/** The text of a question, without its options. */
export const wording = ({ header, question }: Pick<Question, "header" | "question">): Field[] => [
  ...(header === undefined ? [] : [textField("header", header)]),
  textField("question", question),
];

/** The keys of an input become labels. They never collide with the labels that Drover adds. */
function inputFields(input: unknown): Field[] {
  const label = (path: string) =>
    path !== "" && !ownLabels.has(path.split(/[.[]/)[0] ?? "") ? path : `input.${path}`;
  return valueFields("", input, 0).map((field) => {
    if (field.kind === "diff" && field.label === "diff") return field;
    return { ...field, label: field.label === "" ? "input" : label(field.label) };
  });
}

/** Takes a value apart so that its strings can be read unescaped. Entries with unusual keys stay JSON. */
function valueFields(label: string, value: unknown, depth: number): Field[] {
  if (typeof value === "string") return [textField(label, value)];
  if (typeof value !== "object" || value === null || depth >= maxDepth) return [json(label, value)];
  if (Array.isArray(value)) {
    if (value.length === 0) return [json(label, value)];
    return value.flatMap((one, index) => valueFields(`${label}[${index}]`, one, depth + 1));
  }
  const prefix = label === "" ? "" : `${label}.`;
  const change = readChange(value);
  const entries = Object.entries(value).filter(([key]) => !change?.keys.includes(key));
  const unusual = entries.filter(([key]) => !simpleKey.test(key));
  const isEmpty = entries.length === 0 && !change;
  return [
    ...entries
      .filter(([key]) => simpleKey.test(key))
      .flatMap(([key, one]) => valueFields(`${prefix}${key}`, one, depth + 1)),
    ...(change ? [{ label: `${prefix}diff`, kind: "diff", ...change.texts } as const] : []),
    ...(unusual.length > 0 || isEmpty ? [json(label, Object.fromEntries(unusual))] : []),
  ];
}

/** A text before and after, if the value has exactly one of each. Its own key `diff` would be mistaken for ours. */
function readChange(value: object) {
  const present = (keys: readonly string[]) => keys.filter((key) => Object.hasOwn(value, key));
  const [beforeKey, ...otherBefore] = present(beforeKeys);
  const [afterKey, ...otherAfter] = present(afterKeys);
  if (beforeKey === undefined || afterKey === undefined) return undefined;
  if (otherBefore.length + otherAfter.length > 0 || Object.hasOwn(value, "diff")) return undefined;
  const { [beforeKey]: before, [afterKey]: after } = value as Record<string, unknown>;
  if ((typeof before !== "string" && before !== null) || typeof after !== "string") return undefined;
  return { keys: [beforeKey, afterKey], texts: { before, after } };
}

const json = (label: string, value: unknown): Field => ({
  ...{ label, kind: "json" },
  value: JSON.stringify(value, null, 2) ?? "null",
});
