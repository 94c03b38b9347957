import { exactInput } from "@drover/core";

const blanks: Readonly<Record<string, string>> = {
  " ": "⟨U+0020⟩",
  "\t": "⟨U+0009⟩",
  "\n": "⟨U+000A⟩",
};
const spelled = (text: string) => text.replace(/[ \t\n]/g, (blank) => blanks[blank] ?? blank);

/** Like `exactInput`, and also spells out blanks at the end of a line, which are invisible otherwise. */
export const exactLines = (text: string): string => exactInput(text).replace(/[ \t]+$/gm, spelled);

/** A name on one line, such as a path or a label. Line breaks and tabs in it are spelled out. */
export const exactName = (text: string): string => exactLines(text).replace(/[\t\n]/g, spelled);

/** A line with every tab spelled out, for a change in which only blanks differ. */
export const exactBlanks = (line: string): string => exactLines(line).replaceAll("\t", spelled);
