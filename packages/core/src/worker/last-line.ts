import type { SessionEvent } from "../event.ts";

/** What a worker is saying, as far as its last line needs it. */
export interface Said {
  readonly itemId: string;
  /** The beginning of the last line that says something. */
  readonly line: string;
  /** The next text starts another line. */
  readonly isOver?: true;
}

const maxLine = 200;

/** A rule, a fence or a closing bracket says nothing. */
const saysSomething = /[\p{L}\p{N}]/u;

/** Costs as much as the event is long, however long the text has become. Subagents' texts don't count. */
export function saidAfter(before: Said | undefined, event: SessionEvent): Said | undefined {
  if (event.type !== "text_delta" || event.parentToolCallId !== undefined) return before;
  const { itemId, text } = event;
  const continues = before !== undefined && before.itemId === itemId && !before.isOver;
  const lines = text.split(/\r\n|[\r\n]/);
  lines[0] = `${continues ? before.line : ""}${lines[0]}`;
  const at = lines.findLastIndex((line) => saysSomething.test(line));
  const found = lines[at];
  if (found === undefined) return before && { ...before, itemId, isOver: true };
  return {
    itemId,
    line: found.slice(0, maxLine),
    ...(at < lines.length - 1 ? { isOver: true as const } : {}),
  };
}

/** The line as plain text, for a card. */
export const lineOf = ({ line }: Said): string =>
  line
    .replaceAll(/[\p{Cc}\p{Cf}]/gu, " ")
    .replaceAll(/\s+/g, " ")
    .trim()
    .slice(0, maxLine)
    .toWellFormed();
