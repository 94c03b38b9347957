import {
  type Answers,
  exactInput,
  grantWords,
  type Interaction,
  type Question,
  type Scope,
} from "@drover/core";
import { style } from "../terminal/styled.ts";
import { fieldRows, timeLeft } from "../view/asked.ts";
import { type Field, fieldsOf, textField, toolFields, wording } from "../view/fields.ts";
import { KeyReader, type KeyReaderOptions } from "./key-reader.ts";

const { bold, dim, yellow } = style;

/** A person's decision. */
export type Settlement =
  | { readonly type: "approve"; readonly scope: Scope }
  | { readonly type: "deny"; readonly reason?: string }
  | { readonly type: "answer"; readonly answers: Answers };

/** How many options can be chosen with a digit; the others have to be typed. */
const maxKeys = 9;

const optionFields = ({ label, description }: Question["options"][number], index: number): Field[] => [
  textField(index < maxKeys ? String(index + 1) : "t", label),
  ...(description === undefined ? [] : [textField("note", description)]),
];

/** Asks at the terminal. Undefined if the person defers the decision or it was settled elsewhere in the meantime. */
export async function askPerson(
  interaction: Interaction,
  options: KeyReaderOptions,
): Promise<Settlement | undefined> {
  const { screen, isChanged } = options;
  screen.busy("");
  using _hold = screen.hold();
  const isApproval = interaction.kind === "approval";
  const left = timeLeft(interaction);
  screen.prompt([
    yellow("?"),
    " ",
    bold(`${interaction.sessionName} asks${isApproval ? " for approval" : ""}`),
    ...(left === undefined ? [] : [` (${left})`]),
    ...(isChanged ? [yellow(" (the agent changed this request)")] : []),
  ]);
  const about = isApproval ? fieldsOf(interaction) : toolFields(interaction);
  for (const row of fieldRows(about, screen.width)) screen.prompt(row);
  using reader = new KeyReader(options);
  if (isApproval) return await askApproval(interaction, reader, options);
  const answers: Answers = {};
  for (const question of interaction.questions ?? []) {
    const answer = await askQuestion(question, reader, options);
    if (answer === undefined) return undefined;
    answers[question.id] = answer;
  }
  return { type: "answer", answers };
}

async function askApproval(
  interaction: Interaction,
  reader: KeyReader,
  { screen }: KeyReaderOptions,
): Promise<Settlement | undefined> {
  const { scopes } = interaction;
  const keys = ["y allow once", "n deny", "d decide later"];
  const granted = grantWords(interaction);
  if (granted) keys.splice(1, 0, `s allow ${exactInput(granted)} for this session`);
  for (;;) {
    screen.prompt(["  ", dim(keys.join(" · "))]);
    const letter = await nextOf(reader, scopes.includes("session") ? "ysnd" : "ynd");
    if (letter === "y") return { type: "approve", scope: "once" };
    if (letter === "s") return { type: "approve", scope: "session" };
    if (letter !== "n") return undefined;
    const reason = await reader.line("  Why? (Enter: no reason, Esc: back) ");
    if (reason === undefined) return undefined;
    if (reason !== "abandoned")
      return reason.text === "" ? { type: "deny" } : { type: "deny", reason: reason.text };
  }
}

async function askQuestion(
  question: Question,
  reader: KeyReader,
  { screen }: KeyReaderOptions,
): Promise<string | string[] | undefined> {
  const { options, multiSelect } = question;
  // Options beyond the digits can only be typed.
  const takesText = !question.closed || options.length > maxKeys;
  const fields = [...wording(question), ...options.flatMap(optionFields)];
  for (const row of fieldRows(fields, screen.width)) screen.prompt(row);
  const choices = options.slice(0, maxKeys);
  if (choices.length === 0) return textAnswer(reader);
  const chosen = new Set<number>();
  const numbers = choices.map((_, index) => index + 1).join("");
  for (;;) {
    screen.prompt(["  ", dim(questionKeys(multiSelect, chosen, takesText))]);
    const letter = await nextOf(
      reader,
      `${numbers}${takesText ? "t" : ""}d${multiSelect && chosen.size > 0 ? "\r" : ""}`,
    );
    if (letter === undefined || letter === "d") return undefined;
    if (letter === "t") {
      const text = await textAnswer(reader);
      if (text !== undefined) return text;
    } else if (letter === "\r") {
      return [...chosen].sort().map((index) => choices[index]?.label ?? "");
    } else {
      const index = Number(letter) - 1;
      if (!multiSelect) return choices[index]?.label;
      if (!chosen.delete(index)) chosen.add(index);
    }
  }
}

function questionKeys(multiSelect: boolean, chosen: ReadonlySet<number>, takesText: boolean): string {
  const others = `${takesText ? "t type an answer · " : ""}d decide later`;
  if (!multiSelect) return `a number to choose · ${others}`;
  const numbers = [...chosen].map((index) => index + 1).sort();
  const selection = numbers.length > 0 ? ` (${numbers.join(", ")}) · Enter to send` : "";
  return `numbers to choose${selection} · ${others}`;
}

/** A typed answer; undefined if the person typed nothing or went back. */
async function textAnswer(reader: KeyReader): Promise<string | undefined> {
  const line = await reader.line("  Answer (Esc: back): ");
  return typeof line === "object" && line.text !== "" ? line.text : undefined;
}

/** Waits for one of these keys and ignores others. */
async function nextOf(reader: KeyReader, letters: string): Promise<string | undefined> {
  for (;;) {
    const key = await reader.key();
    if (!key || key.type === "end") return undefined;
    const letter = key.type === "text" ? key.text.toLowerCase() : key.type === "enter" ? "\r" : "";
    if (letter.length === 1 && letters.includes(letter)) return letter;
  }
}
