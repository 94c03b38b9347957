import { exactInput, type Interaction, type Question } from "@drover/core";
import { shellWord } from "../../doctor/words.ts";
import { type Styled, style } from "../terminal/styled.ts";
import { wrap } from "../terminal/width.ts";
import type { Screen } from "./screen.ts";

/** One value of what is asked: text as it is, or anything else as JSON. */
export interface Field {
  readonly label: string;
  readonly value: string;
  readonly isText: boolean;
}

const ownLabels: ReadonlySet<string> = new Set(["tool", "title", "diffs", "input"]);
const simpleKey = /^[A-Za-z_][\w-]{0,23}$/;
const labelColumns = 24;
const maxDepth = 6;

export const text = (label: string, value: string): Field => ({ label, value, isText: true });

/** Everything that is asked, nothing left out: of an approval the whole input, of questions every option. */
export function fieldsOf(interaction: Interaction): Field[] {
  const { kind, questions = [], toolName, toolKind, title, input, diffs } = interaction;
  if (kind === "question") return questions.flatMap(questionFields);
  const tool = toolName ?? toolKind;
  return [
    ...(tool === undefined ? [] : [text("tool", tool)]),
    ...(title === undefined || title === tool ? [] : [text("title", title)]),
    ...(input === undefined ? [] : inputFields(input)),
    ...(diffs === undefined ? [] : valueFields("diffs", diffs, 1)),
  ];
}

function questionFields({ id, options, ...question }: Question): Field[] {
  const choices = options.flatMap(({ label, description }) => [
    text("option", label),
    ...(description === undefined ? [] : [text("note", description)]),
  ]);
  return [text("key", id), ...wording(question), ...choices];
}

/** What a question says, without its options. */
export const wording = ({ header, question }: Pick<Question, "header" | "question">): Field[] => [
  ...(header === undefined ? [] : [text("header", header)]),
  text("question", question),
];

/** The keys of an input are labels of their own, but never look like what Drover says about it. */
function inputFields(input: unknown): Field[] {
  const label = (path: string) =>
    path !== "" && !ownLabels.has(path.split(/[.[]/)[0] ?? "") ? path : `input.${path}`;
  return valueFields("", input, 0).map((field) => ({
    ...field,
    label: field.label === "" ? "input" : label(field.label),
  }));
}

/** A value taken apart into its strings, which are then readable as they are; what has odd keys stays JSON. */
function valueFields(label: string, value: unknown, depth: number): Field[] {
  if (typeof value === "string") return [text(label, value)];
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
 * Fields for a terminal of that many columns, hidden characters spelled out. Each row begins with a mark of ours (`│` a
 * line of text, `=` JSON, `┆` the line above goes on), so that no text can pass for a row that Drover wrote.
 */
export function fieldRows(fields: readonly Field[], columns: number): Styled[] {
  const width = Math.min(labelColumns, Math.max(0, ...fields.map(({ label }) => label.length)));
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

/** What is asked, for a terminal of that many columns. */
export const askedRows = (interaction: Interaction, columns: number): Styled[] =>
  fieldRows(fieldsOf(interaction), columns);

/** What is asked, all of it on one line: first what matters most, then the rest with its labels. */
export function askedInFull(interaction: Interaction): string {
  const fields = fieldsOf(interaction);
  const main = ["command", "question", "title", "tool"];
  const [first] = main.flatMap((name) => fields.filter(({ label }) => label === name));
  const others = fields.filter((field) => field !== first);
  const words = others.map(
    ({ label, value, isText }) => `${label}${isText ? ": " : "="}${inLine(value, isText)}`,
  );
  return [...(first ? [inLine(first.value, true)] : []), ...words].join(" · ");
}

/** What stands between fields is not ASCII: text that is needs no quotes. */
function inLine(value: string, isText: boolean): string {
  if (!isText) return exactInput(JSON.stringify(JSON.parse(value)));
  return /^(?!")[ -~]*$/.test(value) ? value : exactInput(JSON.stringify(value));
}

/** For a person who has to settle it with another command: on one line where there is no terminal. */
export function tellAsked(screen: Screen, interaction: Interaction, server?: string): void {
  const command = settlingCommand(interaction, server);
  if (!screen.isTerminal) {
    screen.line(`${interaction.sessionName} asks: ${askedInFull(interaction)} — answer with: ${command}`);
    return;
  }
  screen.line([style.yellow("?"), " ", style.bold(`${interaction.sessionName} asks`)]);
  screen.lines(askedRows(interaction, screen.width));
  screen.line(`  Answer with: ${command}`);
}

/** The commands with which any terminal settles it; a question's is given with its first answers as examples. */
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
