import { exactInput, type Interaction, type Offers, type Question } from "@drover/core";
import { shellWord } from "../../doctor/words.ts";
import { type Styled, style } from "../terminal/styled.ts";
import { wrap } from "../terminal/width.ts";
import type { Screen } from "./screen.ts";

/** One value of an approval or question: text as it is, anything else as JSON. */
export interface Field {
  readonly label: string;
  readonly value: string;
  readonly isText: boolean;
}

const ownLabels: ReadonlySet<string> = new Set([
  ...["tool", "title", "diffs", "input", "approve", "deny"],
  ...["key", "header", "question", "option", "note"],
]);
const simpleKey = /^[A-Za-z_][\w-]{0,23}$/;
const labelColumns = 24;
const maxDepth = 6;

export const textField = (label: string, value: string): Field => ({ label, value, isText: true });

/** Everything an approval or question contains: the whole input, every option. */
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
  // The title of a question is among its words.
  const hasTitle = kind === "approval" && title !== undefined && title !== tool;
  return [
    ...(tool === undefined ? [] : [textField("tool", tool)]),
    ...(hasTitle ? [textField("title", title)] : []),
    ...(input === undefined ? [] : inputFields(input)),
    ...(diffs === undefined ? [] : valueFields("diffs", diffs, 1)),
  ];
}

/** The agent's own words for a decision, and that it outlasts this one. */
function offerFields(label: string, offer: Offers["approve"]): Field[] {
  const words = [offer?.label, offer?.remembered ? "the agent will remember this answer" : undefined];
  const said = words.filter((one) => one !== undefined);
  return said.length > 0 ? [textField(label, said.join(" — "))] : [];
}

function questionFields({ id, options, ...question }: Question): Field[] {
  const choices = options.flatMap(({ label, description }) => [
    textField("option", label),
    ...(description === undefined ? [] : [textField("note", description)]),
  ]);
  return [textField("key", id), ...wording(question), ...choices];
}

/** What a question says, without its options. */
export const wording = ({ header, question }: Pick<Question, "header" | "question">): Field[] => [
  ...(header === undefined ? [] : [textField("header", header)]),
  textField("question", question),
];

/** The keys of an input become labels, and never collide with the labels Drover adds. */
function inputFields(input: unknown): Field[] {
  const label = (path: string) =>
    path !== "" && !ownLabels.has(path.split(/[.[]/)[0] ?? "") ? path : `input.${path}`;
  return valueFields("", input, 0).map((field) => ({
    ...field,
    label: field.label === "" ? "input" : label(field.label),
  }));
}

/** Takes a value apart, so that its strings can be read as they are. Entries with odd keys stay JSON. */
function valueFields(label: string, value: unknown, depth: number): Field[] {
  if (typeof value === "string") return [textField(label, value)];
  if (typeof value !== "object" || value === null || depth >= maxDepth) return [json(label, value)];
  if (Array.isArray(value)) {
    if (value.length === 0) return [json(label, value)];
    return value.flatMap((one, index) => valueFields(`${label}[${index}]`, one, depth + 1));
  }
  const entries = Object.entries(value);
  const odd = entries.filter(([key]) => !simpleKey.test(key));
  const below = label === "" ? "" : `${label}.`;
  return [
    ...entries
      .filter(([key]) => simpleKey.test(key))
      .flatMap(([key, one]) => valueFields(`${below}${key}`, one, depth + 1)),
    ...(odd.length > 0 || entries.length === 0 ? [json(label, Object.fromEntries(odd))] : []),
  ];
}

const json = (label: string, value: unknown): Field => ({
  ...{ label, isText: false },
  value: JSON.stringify(value, null, 2) ?? "null",
});

/**
 * Fields as rows of at most `columns`, with hidden characters spelled out. Each row starts with a mark of ours (`│` text,
 * `=` JSON, `┆` continues the row above), so that no text can imitate a row that Drover wrote.
 */
export function fieldRows(fields: readonly Field[], columns: number): Styled[] {
  const longest = fields.reduce((most, { label }) => Math.max(most, label.length), 0);
  const width = Math.min(labelColumns, longest);
  const before = 2 + width + 3;
  const room = Math.max(10, columns - before);
  return fields.flatMap(({ label, value, isText }) => {
    const isLong = label.length > width;
    const rows = exactInput(value)
      .split("\n")
      .flatMap((line) =>
        wrap(line, room, before).map((piece, index) => {
          const mark = index > 0 ? "┆" : isText ? "│" : "=";
          return { mark, piece: label === "command" ? style.bold(piece) : piece };
        }),
      )
      .map(({ mark, piece }, index): Styled => {
        const shown = (index === 0 && !isLong ? label : "").padEnd(width);
        return ["  ", style.dim(`${shown} ${mark} `), piece];
      });
    return isLong ? [["  ", style.dim(label)], ...rows] : rows;
  });
}

/** The whole approval or question as rows of at most `columns`. */
export const askedRows = (interaction: Interaction, columns: number): Styled[] =>
  fieldRows(fieldsOf(interaction), columns);

/** The whole approval or question on one line: the command or question first, then the other fields with their labels. */
export function askedInFull(interaction: Interaction): string {
  const fields = fieldsOf(interaction);
  const main = ["command", "question", "title", "tool"];
  const [first] = main.flatMap((name) => fields.filter(({ label }) => label === name));
  const others = fields.filter((field) => field !== first);
  const words = others.map((field) => `${field.label}${field.isText ? ": " : "="}${inLine(field)}`);
  return [...(first ? [inLine(first)] : []), ...words].join(" · ");
}

/** The separators are not ASCII, so ASCII text needs no quotes to be told apart from them. */
function inLine({ value, isText }: Field): string {
  if (!isText) return exactInput(JSON.stringify(JSON.parse(value)));
  return /^(?!")[ -~]*$/.test(value) ? value : exactInput(JSON.stringify(value));
}

/** Shows what is asked and the command that settles it; on one line where there is no terminal. */
export function showAsked(screen: Screen, interaction: Interaction, server?: string): void {
  const command = settlingCommand(interaction, server);
  if (!screen.isTerminal) {
    screen.line(`${interaction.sessionName} asks: ${askedInFull(interaction)} — answer with: ${command}`);
    return;
  }
  screen.line([style.yellow("?"), " ", style.bold(`${interaction.sessionName} asks`)]);
  screen.lines(askedRows(interaction, screen.width));
  screen.line(`  Answer with: ${command}`);
}

/** The commands that settle it from any terminal; for a question, with its first options as examples. */
export function settlingCommand(interaction: Interaction, server?: string): string {
  const flag = server ? ` --server ${shellWord(server)}` : "";
  const { kind, questions = [] } = interaction;
  const id = shellWord(interaction.id);
  if (kind === "approval") {
    return `drover permit allow ${id}${flag} (or: drover permit deny ${id}${flag})`;
  }
  const answers = questions.map((question) =>
    shellWord(`${question.id}=${question.options[0]?.label ?? "…"}`),
  );
  const choices = questions.map(({ id: key, options }) =>
    options.length > 0 ? `${key}: ${options.map(({ label }) => label).join(" | ")}` : `${key}: any text`,
  );
  return exactInput(`drover answer ${id}${flag} ${answers.join(" ")} (${choices.join("; ")})`);
}
