import { placedComment } from "@drover/core";
import type { LineComment } from "./comments.ts";

/** All comments with text as one message, each with its location and line. */
export function commentMessage(comments: readonly LineComment[], subject: string): string {
  const parts = comments
    .filter(hasText)
    .map(({ body, text: quote, ...place }) => placedComment({ ...place, text: body, quote }));
  return [`Comments on ${subject}:`, ...parts].join("\n\n");
}

export const hasText = ({ body }: LineComment): boolean => body.trim() !== "";
