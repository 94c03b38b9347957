/**
 * What the keys of a tool's input show. Agents share no format, and a mode or a grant must not approve what nobody has
 * understood: text under a key that is not listed here may be written somewhere or run.
 */

/** Every object in an input. */
export function* objectsIn(input: unknown): Generator<object> {
  const open: unknown[] = [input];
  while (open.length > 0) {
    const one = open.pop();
    if (typeof one !== "object" || one === null) continue;
    if (!Array.isArray(one)) yield one;
    for (const inner of Object.values(one)) open.push(inner);
  }
}

/** Every key of every object in an input, with its value. */
function* entriesIn(input: unknown): Generator<[string, unknown]> {
  for (const one of objectsIn(input)) yield* Object.entries(one);
}

/** Those whose value is text, or a list with text in it. */
function textsIn(input: unknown): [string, unknown][] {
  return [...entriesIn(input)].filter(([, value]) => holdsText(value));
}

const holdsText = (value: unknown): boolean =>
  typeof value === "string" || (Array.isArray(value) && value.some(holdsText));

const oneOf = (...keys: string[]): RegExp => new RegExp(`^(${keys.join("|")})$`, "i");

const paths = "((absolute|relative|dir|file|notebook|target)_?)?paths?|(target_?)?files?|file_?name";
const directories = "dir|directory|folder|cwd|root|work_?dir|working_?directory";

/** Keys that only describe, name or choose. */
const neutral = oneOf(
  "description|explanation|title|reason|instructions?|label|status|priority|type|kind|name|model|language|encoding",
  "mode|format|sort|((task|bash|shell|cell)_?)?ids?|cell_?type|edit_?mode|output_?mode",
);

/** Whether a key only describes, names or chooses. */
export const isNeutral = (key: string): boolean => neutral.test(key);

/** Keys of tools that find and read files. `-A` and the like are options of a search. */
const looking = oneOf(
  paths,
  directories,
  "patterns?|quer(y|ies)|search_?terms?|reg_?exp?|globs?|((file_?glob|file|include|exclude)_?)pattern",
  "includes?|excludes?|ignore|filter|((file)_?)?types?|symbol|operation|-[a-z]",
);

/** Keys for a part of a file; their text is numbers. */
const ranges = oneOf("(view_?|line_?)?range|lines?|pages?");

const fetching = oneOf("urls?|quer(y|ies)|prompt|((allowed|blocked)_?)?domains?");
const thinking = oneOf(
  "thoughts?|text|content|subject|active_?form|todos|tasks|plan|steps?|prompt|subagent_?type|fact",
);

/** Whether a call that claims to read has only keys of one kind of reading tool. */
export function readsByItsKeys(input: unknown): boolean {
  if (input === undefined || input === null) return true;
  if (typeof input !== "object" || Array.isArray(input)) return false;
  const texts = textsIn(input).filter(([key]) => !neutral.test(key));
  const isRange = (key: string, value: unknown) =>
    ranges.test(key) && /^[\d\s,.:-]*$/.test([value].flat().join());
  const isWeb = (key: string, value: unknown) =>
    fetching.test(key) &&
    (!/^url/i.test(key) || [value].flat().every((url) => /^https?:/i.test(String(url))));
  return (
    texts.every(([key, value]) => looking.test(key) || isRange(key, value)) ||
    texts.every(([key, value]) => isWeb(key, value)) ||
    texts.every(([key]) => thinking.test(key))
  );
}

const editing = oneOf(
  paths,
  directories,
  "contents?|text|data|(old|new)_?(text|str|string|source|contents?|path)|(insert|file)_?text|code_?edit|move_?path",
  "patch|diff|unified_?diff|input|command",
);

/** Whether an edit has only keys of editing tools. */
export const editsByItsKeys = (input: unknown): boolean =>
  input === undefined ||
  (typeof input === "object" &&
    !Array.isArray(input) &&
    textsIn(input).every(([key]) => neutral.test(key) || editing.test(key)));

/** Words of keys that agents use for a command or a program. */
const commandWords = new Set(
  "command commands commandline cmd cmdline shell bash sh exec execute executable script argv args program run code terminal".split(
    " ",
  ),
);

/** The words of a key, however it is written: `shellCommand`, `shell_command`, `Shell-Command `. */
const wordsOf = (key: string): string[] =>
  key
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/);

/** The values of all keys that look like a command. */
export const commandsIn = (input: unknown): unknown[] =>
  [...entriesIn(input)].flatMap(([key, value]) =>
    !neutral.test(key) && typeof value !== "boolean" && wordsOf(key).some((word) => commandWords.has(word))
      ? [value]
      : [],
  );
