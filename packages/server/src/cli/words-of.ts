import { InvalidArgumentError } from "commander";

/** Splits a command line into words, as a shell would, and refuses what only a shell understands. */
export function readWords(text: string): string[] {
  const words: string[] = [];
  const word = /(?:'([^']*)'|"((?:[^"\\$`]|\\.)*)"|\\(.)|([^\s'"\\$`|&;<>()*?[\]#~]))/sy;
  let at = 0;
  let current: string | undefined;
  while (at < text.length) {
    const space = /\s+/y;
    space.lastIndex = at;
    if (space.test(text)) {
      if (current !== undefined) words.push(current);
      current = undefined;
      at = space.lastIndex;
      continue;
    }
    word.lastIndex = at;
    const found = word.exec(text);
    if (!found)
      throw new InvalidArgumentError(`Only a shell understands "${text.slice(at)}"; use sh -c '…'.`);
    const [, single, double, escaped, plain] = found;
    current = (current ?? "") + (single ?? double?.replace(/\\(.)/gs, "$1") ?? escaped ?? plain ?? "");
    at = word.lastIndex;
  }
  if (current !== undefined) words.push(current);
  if (words.length === 0) throw new InvalidArgumentError("It is empty; --no-setup removes all commands.");
  return words;
}
