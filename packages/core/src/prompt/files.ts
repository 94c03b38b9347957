/** A text file that belongs to a message, as an agent gets it. */
export interface PromptFile {
  readonly name: string;
  readonly text: string;
}

/** A message with its text files after it, for agents that take nothing but text. */
export const withFiles = (message: string, files: readonly PromptFile[] = []): string =>
  [message, ...files.map(fenced)].join("\n\n");

/** The fence is longer than any in the text, so that nothing in the text ends it. */
function fenced({ name, text }: PromptFile): string {
  let fence = "```";
  for (const [run] of text.matchAll(/`{3,}/g)) if (run.length >= fence.length) fence = `${run}\``;
  return `${name}:\n${fence}\n${text}${text.endsWith("\n") ? "" : "\n"}${fence}`;
}
