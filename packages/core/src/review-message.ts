import type { DecideReview, ReviewComment } from "./review.ts";

/** The message that asks an agent for changes: the summary, then each comment with its place. */
export function reviewMessage({
  message = "",
  comments = [],
}: Pick<DecideReview, "message" | "comments">): string {
  const summary = message.trim() === "" ? "Please make these changes:" : message.trim();
  return [summary, ...comments.map(placedComment)].join("\n\n");
}

/** A comment below its place and the lines that it is about. */
export function placedComment({ path, line, from, side, text, quote }: ReviewComment): string {
  const lines = from === undefined || from === line ? `${line}` : `${from}-${line}`;
  const place = `${path}:${lines}${side === "old" ? " (removed)" : ""}`;
  // Without the empty line, Markdown would take the comment for part of the quote.
  const quoted = quote === undefined ? "" : `> ${quote.replaceAll("\n", "\n> ")}\n\n`;
  return `${place}\n${quoted}${text.trim()}`;
}
