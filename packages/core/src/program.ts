/** A character of a word that every shell takes literally. */
const plain = String.raw`[^\s;&|<>\`$()\\'"{}*?[\]#~!]`;
/**
 * Quoted, everything is literal, except what a shell expands between double quotes and `\'`, on which shells differ.
 */
const quoted = String.raw`'(?:[^'\\\n]|\\[^'\n])*'|"[^"$\`\\!\n]*"`;
/** What a grant may consist of: a person reads it, and it is compared word by word. */
const nameable = /^[\p{L}\p{N}_@%+=:,./-]+$/u;
/** Some agents join the words of a list and pass them to a shell. */
const shellSyntax = /[;&|<>`$()\\\n]/;
/** Control characters other than tab and newline: a terminal acts on them, and some shells drop them. */
const control = /[^\P{Cc}\t\n]/u;
/** A longer grant is more than a person reads on a button, and is not offered. */
const maxLength = 200;

/**
 * What approving a tool's `command` for the session would remember: the exact words, or only the program if no argument
 * makes it do harm. Undefined for anything but one plain command, such as a chain, a substitution or a redirection. For
 * `bash -c "…"` it is the quoted command.
 */
export function programOf(input: unknown): string | undefined {
  const found = commandIn(input);
  if (!found) return undefined;
  const { run, directory } = found;
  const named = nameOf(run);
  if (named === undefined || named.length > maxLength) return undefined;
  if (directory === undefined || harmless.has(named)) return named;
  // Another directory has other scripts and targets of the same name.
  return typeof directory === "string" && nameable.test(directory) ? `${named} (in ${directory})` : undefined;
}

/**
 * Whether a tool's `command` only reads, in a session that works in `cwd`. In another directory, git follows the settings
 * of a repository that somebody else may have made, and these name programs.
 */
export function onlyReads(input: unknown, cwd: string | undefined): boolean {
  const { run = [], directory } = commandIn(input) ?? {};
  const [program = "", subcommand = ""] = run;
  if (!isTame(run)) return false;
  if (readers.has(program)) return true;
  const isHere = directory === undefined || directory === cwd;
  return program === "git" && readersOfGit.has(subcommand) && isHere;
}

interface PlainCommand {
  readonly run: readonly string[];
  /** Where the tool runs it, if its input says so. */
  readonly directory: unknown;
}

/** The one plain command in a tool's input, without the shell around it. */
function commandIn(input: unknown): PlainCommand | undefined {
  if (typeof input !== "object" || input === null || !("command" in input)) return undefined;
  const { command, ...others } = input;
  const keys = Object.entries(others).filter(([key]) => !harmlessKeys.has(key));
  const [[key, directory] = ["cwd", undefined], ...more] = keys;
  // An unknown key may name another program, another environment, or a way out of a sandbox.
  if (!directoryKeys.has(key) || more.length > 0) return undefined;
  const parts = typeof command === "string" ? wordsOf(command) : listOf(command);
  if (parts?.some((word) => control.test(word))) return undefined;
  const run = parts && unwrapped(parts);
  return run && { run, directory };
}

/** The words of a command that may be paths, and what follows the `=` of an option. */
export function commandPaths(input: unknown): string[] {
  const command =
    typeof input === "object" && input !== null && "command" in input ? input.command : undefined;
  const texts = typeof command === "string" ? [command] : (textsOf(command) ?? []);
  return texts
    .flatMap((text) => text.replace(/['"\\]/g, "").split(/\s+/))
    .flatMap((word) => [word, ...word.split("=").slice(1)]);
}

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Programs that read, and that no argument turns into more. */
const readers = words(`
  basename cat cmp comm cut df diff dirname du echo egrep fgrep find grep head jq ls md5sum nl pwd readlink realpath rev rg
  sha1sum sha256sum stat tac tail tr wc which
`);

/** The same for git. */
const readersOfGit = words(`
  blame describe diff log ls-files merge-base rev-list rev-parse shortlog show status
`);

/** The readers, plus commands that only create something empty or stage files. */
const harmless = new Set([...readers, "mkdir", "touch"]);
const harmlessOfGit = new Set([...readersOfGit, "add"]);

/** Options that make the above run another program or write to a file. Git's may be abbreviated. */
const harmful: ReadonlyMap<string, RegExp> = new Map([
  ["find", /^-(exec|ok|delete|fprint|fls)/],
  ["rg", /^--(pre|hostname-bin)/],
  // `%G…` runs the program that verifies signatures; a sign or space may stand before the G.
  ["git", /^(--(ou|ex|te|op|show-si)|-O)|%[-+ ]?G/],
]);

const isTame = (run: readonly string[]): boolean =>
  !run.some((word) => harmful.get(run[0] ?? "")?.test(word));

function nameOf(run: readonly string[]): string | undefined {
  const [program = "", subcommand = ""] = run;
  if (isTame(run) && harmless.has(program)) return program;
  if (isTame(run) && program === "git" && harmlessOfGit.has(subcommand)) return `git ${subcommand}`;
  const isReadable = program !== "" && !program.includes("=") && run.every((word) => nameable.test(word));
  return isReadable ? run.join(" ") : undefined;
}

/**
 * The command inside `bash -lc "…"`: some agents run everything that way. A bare shell reads its commands from
 * elsewhere.
 */
function unwrapped(parts: readonly string[]): readonly string[] | undefined {
  const [shell = "", option = "-", script, ...more] = parts;
  if (!isShell(shell) || !option.startsWith("-")) return parts;
  return /^-l?c$/.test(option) && script !== undefined && more.length === 0 ? wordsOf(script) : undefined;
}

const isShell = (program: string): boolean => /^(\/bin\/|\/usr\/bin\/)?(ba|z|da)?sh$/.test(program);

/** Keys beside a command that do not change what it does. */
const harmlessKeys = words(
  "description explanation title timeout timeout_ms timeoutMs run_in_background is_background",
);

const directoryKeys = words("cwd workdir working_directory workingDirectory directory dir_path");

const textsOf = (command: unknown): string[] | undefined =>
  Array.isArray(command) && command.every((part) => typeof part === "string") ? command : undefined;

/** A command given as a list; undefined if a shell that gets its words joined would see more than words. */
function listOf(command: unknown): string[] | undefined {
  const texts = textsOf(command);
  return texts && (isShell(texts[0] ?? "") || !texts.some((text) => shellSyntax.test(text)))
    ? texts
    : undefined;
}

/** The words of a line as a shell reads them; undefined if it contains more than words. */
function wordsOf(command: string): string[] | undefined {
  // Only what a shell ignores: `trim` also removes characters that are part of a file's name.
  const line = command.replace(/^[ \t\n]+|[ \t\n]+$/g, "");
  const word = new RegExp(`[ \\t]*((?:${plain}|${quoted})+)(?=[ \\t]|$)`, "y");
  const found: string[] = [];
  while (word.lastIndex < line.length) {
    const raw = word.exec(line)?.[1];
    // Nobody quotes a program's name, and an assignment would change what the program does.
    if (raw === undefined || (found.length === 0 && /['"=]/.test(raw))) return undefined;
    found.push(raw.replace(/'([^']*)'|"([^"]*)"/g, (_all, single, double) => single ?? double));
  }
  return found;
}
