/** The part of a message that names something, as far as it is typed. */
export interface Token {
  readonly kind: "file" | "command";
  /** Where it starts and ends in the message, with its `@` or `/`. */
  readonly start: number;
  readonly end: number;
  readonly query: string;
}

/** Longer names don't exist, so nothing before this many characters matters. */
const longest = 4_200;

/** An `@` that begins a word; a quote after it allows spaces. An address like `ada@example.com` is no mention. */
const mention = /(?:^|[\s([{'`])(@(?:"[^"\n]*|[^\s"]*))$/;

/** What the caret is in: an `@file` anywhere, or a `/command` at the very start. */
export function tokenAt(text: string, caret: number): Token | undefined {
  const before = text.slice(Math.max(0, caret - longest), caret);
  const rest = text.slice(caret);
  if (/^\/\S*$/.test(text.slice(0, Math.min(caret, longest)))) {
    const end = caret + (/^\S*/.exec(rest)?.[0].length ?? 0);
    return { kind: "command", start: 0, end, query: before.slice(1) };
  }
  const typed = mention.exec(before)?.[1];
  if (typed === undefined) return undefined;
  const isQuoted = typed.startsWith('@"');
  const tail = isQuoted ? /^[^"\n]*"/.exec(rest) : /^[^\s"]*/.exec(rest);
  return {
    kind: "file",
    start: caret - typed.length,
    end: caret + (tail?.[0].length ?? 0),
    query: typed.slice(isQuoted ? 2 : 1),
  };
}

/** How a message mentions a file. Agents read a quoted path up to the closing quote. */
export const mentionOf = (path: string): string => (/[\s"'`()[\]{}]/.test(path) ? `@"${path}"` : `@${path}`);

export interface Completed {
  readonly text: string;
  readonly caret: number;
}

/** The message with the token replaced, and a space after it. */
export function complete(text: string, { start, end }: Token, replacement: string): Completed {
  const rest = text.slice(end);
  const space = /^\s/.test(rest) ? "" : " ";
  return {
    text: `${text.slice(0, start)}${replacement}${space}${rest}`,
    caret: start + replacement.length + 1,
  };
}
