import { compareLines, type DiffLine } from "@drover/core/line-diff";

export type { DiffLine };

/** Removed, added and unchanged lines. */
export const lineDiff = (before: string, after: string): DiffLine[] =>
  compareLines(lines(before), lines(after));

/** Marks a last line without a line break. No line contains one. */
const openEnd = "\n";

/** Like `lineDiff`, but a last line with a line break differs from one without. */
export function exactLineDiff(before: string, after: string): DiffLine[] {
  return compareLines(linesWithEnd(before), linesWithEnd(after)).map(({ sign, text }) => ({
    sign,
    text: text.endsWith(openEnd) ? text.slice(0, -1) : text,
  }));
}

/** Whether text ends in the middle of a line. */
export const hasOpenEnd = (text: string | null | undefined): boolean => !!text && !text.endsWith("\n");

const linesWithEnd = (text: string) =>
  hasOpenEnd(text) ? lines(text).with(-1, `${lines(text).at(-1)}${openEnd}`) : lines(text);

function lines(text: string): string[] {
  if (text === "") return [];
  return (text.endsWith("\n") ? text.slice(0, -1) : text).split("\n");
}
