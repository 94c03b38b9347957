import type { LineComment } from "./comments.ts";

/** All comments with text as one message, each with its location and line. */
export function commentMessage(comments: readonly LineComment[], subject: string): string {
  const parts = comments.filter(hasText).map(({ path, side, line, text, body }) => {
    const place = `${path}:${line}${side === "old" ? " (a removed line)" : ""}`;
    // Without the empty line, Markdown would take the comment for part of the quote.
    return `${place}\n> ${text}\n\n${body.trim()}`;
  });
  return [`Comments on ${subject}:`, ...parts].join("\n\n");
}

export const hasText = ({ body }: LineComment): boolean => body.trim() !== "";
