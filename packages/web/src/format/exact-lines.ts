import { exactInput } from "@drover/core";

const blanks: Readonly<Record<string, string>> = {
  " ": "⟨U+0020⟩",
  "\t": "⟨U+0009⟩",
  "\n": "⟨U+000A⟩",
};
const spelled = (text: string) => text.replace(/[ \t\n]/g, (blank) => blanks[blank] ?? blank);

/** As `exactInput`, with blanks at the end of a line spelled out too: there nothing follows that would show them. */
export const exactLines = (text: string): string => exactInput(text).replace(/[ \t]+$/gm, spelled);

/** A name on one line, such as a path or a label: line breaks and tabs are part of it, not layout. */
export const exactName = (text: string): string => exactLines(text).replace(/[\t\n]/g, spelled);

/** A line with every tab spelled out: for a change in which only blanks differ. */
export const exactBlanks = (line: string): string => exactLines(line).replaceAll("\t", spelled);
