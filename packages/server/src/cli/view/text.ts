import { harmlessLine } from "../terminal/harmless.ts";
import { fitStart } from "../terminal/width.ts";

/** Text on one line. */
export const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();

/** Text on one line of at most `columns`. */
export const clip = (text: string, columns: number): string => fitStart(harmlessLine(oneLine(text)), columns);
