import { err, ok, type Result } from "./result.ts";

/** Quotes a word for the shell. */
export const shellWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

/** Commands as a person writes them, one to a line. */
export const commandLines = (commands: readonly (readonly string[])[]): string =>
  commands.map((words) => words.map(shellWord).join(" ")).join("\n");

/**
 * Splits lines of commands into words, as a shell would. The error is the rest of the text, which begins with something
 * that only a shell understands.
 */
export function readCommandLines(text: string): Result<string[][], string> {
  const commands: string[][] = [];
  const word = /(?:'([^']*)'|"((?:[^"\\$`]|\\.)*)"|\\(.)|([^\s'"\\$`|&;<>()*?[\]#~]))/sy;
  let words: string[] = [];
  let current: string | undefined;
  const endWord = () => {
    if (current !== undefined) words.push(current);
    current = undefined;
  };
  const endCommand = () => {
    endWord();
    if (words.length > 0) commands.push(words);
    words = [];
  };
  for (let at = 0; at < text.length; ) {
    const space = /\s+/y;
    space.lastIndex = at;
    const [gap] = space.exec(text) ?? [];
    if (gap !== undefined) {
      if (gap.includes("\n")) endCommand();
      else endWord();
      at = space.lastIndex;
      continue;
    }
    word.lastIndex = at;
    const found = word.exec(text);
    if (!found) return err(text.slice(at));
    const [, single, double, escaped, plain] = found;
    current = (current ?? "") + (single ?? double?.replace(/\\(.)/gs, "$1") ?? escaped ?? plain ?? "");
    at = word.lastIndex;
  }
  endCommand();
  return ok(commands);
}
