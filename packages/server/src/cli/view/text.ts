import { harmlessLine } from "../terminal/harmless.ts";
import { fitStart } from "../terminal/width.ts";

/** On one line. */
export const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();

/** On one line, and not wider than that. */
export const clip = (text: string, columns: number): string => fitStart(harmlessLine(oneLine(text)), columns);
