/** A character of a word that every shell takes as it is. */
const plain = String.raw`[^\s;&|<>\`$()\\'"{}*?[\]#~!]`;
/** Quoted, everything is itself; between double quotes, but for what a shell replaces there. */
const quoted = String.raw`'[^'\n]*'|"[^"$\`\\!\n]*"`;

const shells = "sh bash dash zsh ksh fish".split(" ");
/** What only runs what it is given. */
const carriers = "builtin command doas env eval exec nice nohup setsid sudo time timeout xargs".split(" ");

/**
 * The one program that a tool's `command` runs; nothing where it cannot be told, or where the name of one would stand
 * for more than it: a chain, a substitution, a redirection. Of `bash -c "…"` it is the program in the quotes.
 */
export function programOf(input: unknown): string | undefined {
  if (typeof input !== "object" || input === null || !("command" in input)) return undefined;
  const { command } = input;
  if (typeof command === "string") return ofLine(command);
  return Array.isArray(command) && command.every((part) => typeof part === "string")
    ? ofWords(command)
    : undefined;
}

function ofLine(line: string): string | undefined {
  const words = wordsOf(line);
  // A name in quotes is nobody's habit, and an assignment would change what the program does.
  return words?.[0] && !/['"=]/.test(words[0].raw) ? ofWords(words.map(({ text }) => text)) : undefined;
}

function ofWords([program, ...rest]: readonly string[]): string | undefined {
  if (!program) return undefined;
  const name = program.split("/").at(-1) ?? "";
  if (carriers.includes(name)) return undefined;
  const [flag, script, ...more] = rest;
  if (!shells.includes(name) || !flag?.startsWith("-")) return program;
  return /^-[a-z]*c$/.test(flag) && script !== undefined && more.length === 0 ? ofLine(script) : undefined;
}

/** The words of a line as a shell reads them; nothing when it holds more than words. */
function wordsOf(given: string): { raw: string; text: string }[] | undefined {
  const line = given.trim();
  const word = new RegExp(`[ \\t]*((?:${plain}|${quoted})+)(?=[ \\t]|$)`, "y");
  const words: { raw: string; text: string }[] = [];
  while (word.lastIndex < line.length) {
    const raw = word.exec(line)?.[1];
    if (raw === undefined) return undefined;
    words.push({
      raw,
      text: raw.replace(/'([^']*)'|"([^"]*)"/g, (_all, single, double) => single ?? double),
    });
  }
  return words;
}
