import type { LineComment } from "./comments.ts";

/** Comments that say something, as one message: each with where it is and the line it is about. */
export function commentMessage(comments: readonly LineComment[]): string {
  const parts = comments.filter(hasWords).map(({ path, side, line, text, body }) => {
    const place = `${path}:${line}${side === "old" ? " (a removed line)" : ""}`;
    // Without the empty line, Markdown takes the words for more of the quotation.
    return `${place}\n> ${text}\n\n${body.trim()}`;
  });
  return ["Comments on your changes in the working copy:", ...parts].join("\n\n");
}

export const hasWords = ({ body }: LineComment): boolean => body.trim() !== "";
