import { exactInput, grantWords, type Interaction, shellWord } from "@drover/core";
import { compareLines } from "@drover/core/line-diff";
import { type Styled, style } from "../terminal/styled.ts";
import { wrap } from "../terminal/width.ts";
import { type Field, fieldsOf } from "./fields.ts";
import type { Screen } from "./screen.ts";
import { largestUnit } from "./words.ts";

const labelColumns = 24;

interface Line {
  readonly mark: string;
  readonly text: string;
  readonly paint: (text: string) => Styled;
}

const unpainted = (text: string): Styled => text;

/**
 * Fields as rows of at most `columns`, with hidden characters spelled out. Each row starts with a mark (`│` text, `=`
 * JSON, `-` and `+` removed and added lines, `┆` continues the row above), so no text can imitate a row of Drover's.
 */
export function fieldRows(fields: readonly Field[], columns: number): Styled[] {
  const longest = fields.reduce((most, { label }) => Math.max(most, label.length), 0);
  const width = Math.min(labelColumns, longest);
  const indent = 2 + width + 3;
  const room = Math.max(10, columns - indent);
  return fields.flatMap((field) => {
    const { label } = field;
    const isLong = label.length > width;
    const rows = linesOf(field)
      .flatMap(({ mark, text, paint }) =>
        wrap(text, room, indent).map((piece, index) => ({
          mark: index > 0 ? "┆" : mark,
          piece: paint(piece),
        })),
      )
      .map(({ mark, piece }, index): Styled => {
        const shown = (index === 0 && !isLong ? label : "").padEnd(width);
        return ["  ", style.dim(`${shown} ${mark} `), piece];
      });
    return isLong ? [["  ", style.dim(label)], ...rows] : rows;
  });
}

function linesOf(field: Field): Line[] {
  if (field.kind === "diff") return diffLines(field);
  const mark = field.kind === "text" ? "│" : "=";
  const paint = field.label === "command" ? style.bold : unpainted;
  return exactInput(field.value)
    .split("\n")
    .map((text) => ({ mark, text, paint }));
}

/** The whole text, unchanged lines included: the agent says what was there before, and could hide a line that way. */
function diffLines({ before, after }: Extract<Field, { kind: "diff" }>): Line[] {
  const marks = { "+": "+", "-": "-", " ": "│" };
  const paints = { "+": style.green, "-": style.red, " ": unpainted };
  return compareLines(before?.split("\n") ?? [], after.split("\n")).map(({ sign, text }) => ({
    mark: marks[sign],
    text: exactInput(text),
    paint: paints[sign],
  }));
}

/** The whole approval or question as rows of at most `columns`. */
export const askedRows = (interaction: Interaction, columns: number): Styled[] =>
  fieldRows(fieldsOf(interaction), columns);

/** The whole approval or question on one line: the command or question first, then the other fields with their labels. */
export const askedInFull = (interaction: Interaction): string => onOneLine(fieldsOf(interaction));

/** Like `askedInFull`, without the tool and title of a command: they repeat it. */
export function approvedWords(interaction: Interaction): string {
  const fields = fieldsOf(interaction);
  const isCommand = fields.some(({ label }) => label === "command");
  return onOneLine(isCommand ? fields.filter(({ label }) => label !== "tool" && label !== "title") : fields);
}

function onOneLine(fields: readonly Field[]): string {
  const main = ["command", "question", "title", "tool"];
  const [first] = main.flatMap((name) => fields.filter(({ label }) => label === name));
  const others = fields.filter((field) => field !== first);
  const words = others.map((field) => `${field.label}${field.kind === "json" ? "=" : ": "}${inLine(field)}`);
  return [...(first ? [inLine(first)] : []), ...words].join(" · ");
}

function inLine(field: Field): string {
  if (field.kind === "diff") return `${quoted(field.before)} → ${quoted(field.after)}`;
  if (field.kind === "json") return exactInput(JSON.stringify(JSON.parse(field.value)));
  // The separators are not ASCII, so ASCII text needs no quotes to differ from them.
  return /^(?!")[ -~]*$/.test(field.value) ? field.value : quoted(field.value);
}

const quoted = (text: string | null): string => exactInput(JSON.stringify(text));

/** How long it can still be answered; undefined without a deadline. */
export function timeLeft(
  { remainingMs, deadline }: Interaction,
  now: number = Date.now(),
): string | undefined {
  const left = remainingMs ?? (deadline === undefined ? Number.NaN : Date.parse(deadline) - now);
  if (Number.isNaN(left)) return undefined;
  return left <= 0 ? "expiring now" : `${largestUnit(Math.ceil(left / 1000))} left`;
}

/** The decisions an approval can get. */
export function approvalOptions(interaction: Interaction): string {
  const granted = grantWords(interaction);
  const session = granted ? [`allow ${exactInput(granted)} for this session (--scope session)`] : [];
  return ["allow once", ...session, "deny"].join(" · ");
}

/** Shows what is asked and the command that settles it; on one line without a terminal. */
export function showAsked(screen: Screen, interaction: Interaction, server?: string): void {
  const command = settlingCommand(interaction, server);
  const left = timeLeft(interaction);
  const asks = `${interaction.sessionName} asks${left === undefined ? "" : ` (${left})`}`;
  if (!screen.isTerminal) {
    screen.line(`${asks}: ${askedInFull(interaction)} — answer with: ${command}`);
    return;
  }
  screen.line([style.yellow("?"), " ", style.bold(asks)]);
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
