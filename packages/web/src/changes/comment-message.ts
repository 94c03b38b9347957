import type { LineComment } from "./comments.ts";

/** All comments with text as one message, each with its location and line. */
export function commentMessage(comments: readonly LineComment[], subject: string): string {
  const parts = comments.filter(hasText).map(({ path, side, line, from, text, body }) => {
    const removed = from === undefined ? " (a removed line)" : " (removed lines)";
    const lines = from === undefined ? `${line}` : `${from}-${line}`;
    const place = `${path}:${lines}${side === "old" ? removed : ""}`;
    // Without the empty line, Markdown would take the comment for part of the quote.
    return `${place}\n> ${text.replaceAll("\n", "\n> ")}\n\n${body.trim()}`;
  });
  return [`Comments on ${subject}:`, ...parts].join("\n\n");
}

export const hasText = ({ body }: LineComment): boolean => body.trim() !== "";
