import type { Answers, Interaction, Question, Scope } from "@drover/core";
import { harmless, oneLine } from "../view/style.ts";
import { askedFor } from "../view/words.ts";
import { KeyReader, type KeyReaderOptions } from "./key-reader.ts";

/** What a person made of an interaction. */
export type Settlement =
  | { readonly type: "approve"; readonly scope: Scope }
  | { readonly type: "deny"; readonly reason?: string }
  | { readonly type: "answer"; readonly answers: Answers };

/** More of an input than this is shown by `drover permit ls --json`, not between the lines of a conversation. */
const shownLines = 20;
const shownColumns = 400;

/** Asks at the terminal; undefined when the person leaves it for later or it was settled elsewhere meanwhile. */
export async function askPerson(
  interaction: Interaction,
  options: KeyReaderOptions,
): Promise<Settlement | undefined> {
  using reader = new KeyReader(options);
  const { screen } = options;
  const { bold, yellow } = screen.style;
  screen.busy("");
  if (interaction.kind === "approval") {
    screen.line(`${yellow("?")} ${bold(askedFor(interaction))}`);
    for (const line of inputLines(interaction)) screen.line(`  ${screen.style.dim(line)}`);
    return await askApproval(interaction, reader, options);
  }
  const answers: Answers = {};
  for (const question of interaction.questions ?? []) {
    const answer = await askQuestion(question, reader, options);
    if (answer === undefined) return undefined;
    answers[question.id] = answer;
  }
  return { type: "answer", answers };
}

async function askApproval(
  { scopes }: Interaction,
  reader: KeyReader,
  { screen }: KeyReaderOptions,
): Promise<Settlement | undefined> {
  const keys = ["y allow once", "n deny", "d decide later"];
  if (scopes.includes("session")) keys.splice(1, 0, "s allow for this session");
  for (;;) {
    screen.line(`  ${screen.style.dim(keys.join(" · "))}`);
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
  { question, options, multiSelect }: Question,
  reader: KeyReader,
  { screen }: KeyReaderOptions,
): Promise<string | string[] | undefined> {
  const { bold, dim, yellow } = screen.style;
  screen.line(`${yellow("?")} ${bold(oneLine(question))}`);
  const choices = options.slice(0, 9);
  for (const [index, { label, description }] of choices.entries()) {
    screen.line(
      `  ${bold(String(index + 1))} ${oneLine(label)}${description ? dim(`  ${oneLine(description)}`) : ""}`,
    );
  }
  if (choices.length === 0) return textAnswer(reader);
  const chosen = new Set<number>();
  const numbers = choices.map((_, index) => index + 1).join("");
  for (;;) {
    screen.line(`  ${dim(questionKeys(multiSelect, chosen))}`);
    const letter = await nextOf(reader, `${numbers}td${multiSelect && chosen.size > 0 ? "\r" : ""}`);
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

function questionKeys(multiSelect: boolean, chosen: ReadonlySet<number>): string {
  if (!multiSelect) return "a number to choose · t type an answer · d decide later";
  const so =
    chosen.size > 0
      ? ` (${[...chosen]
          .map((i) => i + 1)
          .sort()
          .join(", ")}) · Enter to send`
      : "";
  return `numbers to choose${so} · t type an answer · d decide later`;
}

/** Typed words; undefined when there are none after all. */
async function textAnswer(reader: KeyReader): Promise<string | undefined> {
  const line = await reader.line("  Answer (Esc: back): ");
  return typeof line === "object" && line.text !== "" ? line.text : undefined;
}

/** The next of these keys; others do nothing. */
async function nextOf(reader: KeyReader, letters: string): Promise<string | undefined> {
  for (;;) {
    const key = await reader.key();
    if (!key || key.type === "end") return undefined;
    const letter = key.type === "text" ? key.text.toLowerCase() : key.type === "enter" ? "\r" : "";
    if (letter.length === 1 && letters.includes(letter)) return letter;
  }
}

/** The whole input, because that is what is being allowed; its beginning when it is long, and then it says so. */
function inputLines(interaction: Interaction): string[] {
  const { input } = interaction;
  if (input === undefined || input === null || isAllShown(interaction)) return [];
  const text = typeof input === "string" ? input : JSON.stringify(input, null, 2);
  const lines = harmless(text)
    .split("\n")
    .map((line) => (line.length <= shownColumns ? line : `${line.slice(0, shownColumns)}… (cut here)`));
  const left = lines.length - shownLines;
  return left <= 0 ? lines : [...lines.slice(0, shownLines), `… ${left} more lines: drover permit ls --json`];
}

/** Nothing but a plain command, which its headline shows to the letter. */
function isAllShown(interaction: Interaction): boolean {
  const { input } = interaction;
  if (typeof input !== "object" || input === null || Object.keys(input).length !== 1) return false;
  return "command" in input && input.command === askedFor(interaction);
}
