import { carriers, carryingWords, interpreters, runners, shells } from "./carriers.ts";

/** A character of a word that every shell takes as it is. */
const plain = String.raw`[^\s;&|<>\`$()\\'"{}*?[\]#~!]`;
/** Quoted, everything is itself; between double quotes, but for what a shell replaces there. */
const quoted = String.raw`'[^'\n]*'|"[^"$\`\\!\n]*"`;
/** What a grant may be made of: a person reads it, and it is compared word by word. */
const nameable = /^[\p{L}\p{N}_@%+=:,./-]+$/u;
/** Longer than what people read on a button, a grant is not offered. */
const maxLength = 200;
/** The dynamic loader runs the program that it is given. */
const loader = /^ld(-linux|-musl|\.so|64\.so)/;

/**
 * What approving a tool's `command` for the session would remember: its one program, with the script or the words that a
 * program which runs others was given. Undefined where that cannot be told, or where the name would stand for more than
 * was approved: a chain, a substitution, a redirection, a carrier. Of `bash -c "…"` it is what the quotes hold.
 */
export function programOf(input: unknown): string | undefined {
  if (typeof input !== "object" || input === null || !("command" in input)) return undefined;
  const { command, ...others } = input;
  // An unknown key may name another program, another environment, or a way out of a sandbox.
  if (Object.keys(others).some((key) => !harmlessKeys.has(key) && !directoryKeys.has(key))) return undefined;
  const words = typeof command === "string" ? wordsOf(command) : textsOf(command);
  const named = words && nameOf(words);
  if (named === undefined || named.length > maxLength) return undefined;
  const directory = directoryOf(input);
  // A bare program is the same everywhere; another directory holds other scripts and other targets of the same name.
  if (directory === undefined || (/^[^ /]+$/.test(named) && !Object.hasOwn(runners, named))) return named;
  return nameable.test(directory) ? `${named} (in ${directory})` : undefined;
}

/** Whatever in a command may be a path: its words, and what is attached to an option (`--output=x`, `-ox`, `-abox`). */
export function commandPaths(input: unknown): string[] {
  const command =
    typeof input === "object" && input !== null && "command" in input ? input.command : undefined;
  const words = typeof command === "string" ? [command] : (textsOf(command) ?? []);
  return words.flatMap(innerWords).flatMap((word) => [word, ...word.split("=").slice(1), ...attached(word)]);
}

/** Words as the shell puts them together (`.g'it'`), and those of a script that is one word itself (`bash -c "…"`). */
const innerWords = (text: string): string[] =>
  (wordsOf(text) ?? text.split(/[\s'"]+/)).flatMap((word) =>
    /\s/.test(word) && word.length < text.length ? innerWords(word) : [word],
  );

/** Nobody knows which letter of a cluster takes a value, so what follows each of them counts. */
function attached(word: string): string[] {
  const letters = /^-[a-z0-9]+/i.exec(word)?.[0].length ?? 0;
  return Array.from({ length: Math.min(letters, maxCluster) }, (_, at) => word.slice(at + 2)).filter(Boolean);
}

/** Letters of one word that are read as options; longer ones are no habit of people's. */
const maxCluster = 16;

/** What approving this for the session would remember of its command, for people to read. */
export const grantedProgram = ({ toolKind, input }: { toolKind?: string | undefined; input?: unknown }) =>
  toolKind === "execute" ? programOf(input) : undefined;

function nameOf([program, ...rest]: readonly string[]): string | undefined {
  if (!program || !nameable.test(program)) return undefined;
  const base = program.split("/").at(-1) ?? "";
  // python3.11, node20 and bash-5.2 are what they are without a version, as GNU's gtar is tar.
  const names = [base, base.replace(/[-.\d]+$/, ""), base.replace(/^g/, "")];
  const isOneOf = (set: ReadonlySet<string>) => names.some((name) => set.has(name));
  const [first] = rest;
  if (isOneOf(carriers) || loader.test(base)) return undefined;
  const carrying = names.map((name) => entry(carryingWords, name)).find(Boolean);
  if (carrying && rest.some((word) => carrying.test(word))) return undefined;
  if (isOneOf(shells) && first?.startsWith("-")) return ofShellOption(rest);
  if (isOneOf(shells) || isOneOf(interpreters)) return isScript(first) ? `${program} ${first}` : undefined;
  const harmless = names.map((name) => entry(runners, name)).find(Boolean);
  if (harmless) {
    const exact = first !== undefined && harmless.has(first) ? [first] : rest;
    return exact.every((word) => nameable.test(word)) ? [program, ...exact].join(" ") : undefined;
  }
  return program;
}

function ofShellOption([option = "", script, ...more]: readonly string[]): string | undefined {
  if (!/^-[a-z]*c$/.test(option) || script === undefined || more.length > 0) return undefined;
  const words = wordsOf(script);
  return words && nameOf(words);
}

/** A file, not an option, a debugger, or whatever the input happens to be. */
const isScript = (word: string | undefined): boolean =>
  word !== undefined && nameable.test(word) && /^(?!-|\/dev\/|\/proc\/|inspect$)/.test(word);

/** What tools say beside a command that does not change what it does. */
const harmlessKeys = new Set(
  "description explanation title timeout timeout_ms timeoutMs run_in_background is_background".split(" "),
);

const directoryKeys = new Set("cwd workdir working_directory workingDirectory directory dir_path".split(" "));

/** Where the tool runs the command, if its input says so. */
function directoryOf(input: object): string | undefined {
  const [, directory] =
    Object.entries(input).find(([key, value]) => directoryKeys.has(key) && typeof value === "string") ?? [];
  return directory;
}

const entry = <T>(table: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;

const textsOf = (command: unknown): string[] | undefined =>
  Array.isArray(command) && command.every((part) => typeof part === "string") ? command : undefined;

/** The words of a line as a shell reads them; nothing when it holds more than words. */
function wordsOf(given: string): string[] | undefined {
  const line = given.trim();
  const word = new RegExp(`[ \\t]*((?:${plain}|${quoted})+)(?=[ \\t]|$)`, "y");
  const words: string[] = [];
  while (word.lastIndex < line.length) {
    const raw = word.exec(line)?.[1];
    // A name in quotes is nobody's habit, and an assignment would change what the program does.
    if (raw === undefined || (words.length === 0 && /['"=]/.test(raw))) return undefined;
    words.push(raw.replace(/'([^']*)'|"([^"]*)"/g, (_all, single, double) => single ?? double));
  }
  return words;
}
