import { maxPromptBytes, type Rejection, type Result, reject, utf8Length } from "@drover/core";

/** Rejects a message that is too large to be sent, with both sizes. */
export function promptTooLarge(content: string): Result<never, Rejection> | undefined {
  // A UTF-16 unit is at most three bytes: most messages need no counting.
  const size = content.length * 3 > maxPromptBytes ? utf8Length(content) : 0;
  if (size <= maxPromptBytes) return undefined;
  return reject(
    "PROMPT_TOO_LARGE",
    `The message has ${size} bytes; at most ${maxPromptBytes} are allowed: put the text into a file and mention the file`,
    { limit: maxPromptBytes, size },
  );
}
