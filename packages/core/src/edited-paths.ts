import { isNeutral, objectsIn, readsByItsKeys } from "./input-keys.ts";
import { commandPaths } from "./program.ts";
import type { ToolKind } from "./tool-kind.ts";

export interface Edit {
  readonly toolKind: ToolKind;
  readonly input: unknown;
  /** As the agent sent them. */
  readonly diffs?: readonly unknown[] | undefined;
  /** Where the agent says it works. */
  readonly locations?: readonly string[] | undefined;
}

const editingKinds: readonly ToolKind[] = ["edit", "delete", "move"];

export const isEdit = (toolKind: ToolKind): boolean => editingKinds.includes(toolKind);

/** Keys agents use for the text they write, not for the file they write to. */
const contentKeys =
  /^(content|text|(old|new)_?(text|str|string|source)|insert_?text|file_?text|title|description|explanation|prompt)$/i;

/** How a patch names a file: in the `git diff` format, and in that of `apply_patch`. */
const patchedFile =
  /^[ \t]*(?:\*\*\*[ \t]*(?:(?:Add|Update|Delete) File|Move to):|diff --git|\+\+\+|---|Index:|(?:rename|copy) (?:from|to))[ \t]+(.+)$/gm;

/** Every path that an edit names, as far as it can be determined: agents share no format for their input. */
export function editedPaths(edit: Edit): string[] {
  // Tools of kind `other` may write too: it is unknown what they do. So may a call that only claims to read.
  const claimsToRead = isReading(edit.toolKind) && !readsByItsKeys(edit.input);
  const mayEdit = showsEdit(edit) || edit.toolKind === "other" || claimsToRead;
  if (!mayEdit) return [];
  return inDirectory(
    edit,
    [...mentionsIn(edit)].map(({ path }) => path),
  );
}

/** Relative paths may start from a directory that the input names. */
function inDirectory({ input }: Edit, paths: readonly string[]): string[] {
  const directory = Object.entries(Object(input)).find(([key]) => directoryKeys.test(key))?.[1];
  return paths.flatMap((path) => {
    const isElsewhere = typeof directory === "string" && !path.startsWith("/");
    return isElsewhere ? [path, `${directory}/${path}`] : [path];
  });
}

/**
 * The paths of `editedPaths` that a call changes, moves or deletes as a whole. If one of them is a directory, the call
 * is no edit of a file, whatever its agent says.
 */
export function wholePaths(edit: Edit): string[] {
  const { toolKind, input, diffs = [], locations = [] } = edit;
  if (toolKind === "move" || toolKind === "delete") return editedPaths(edit);
  if (!showsEdit(edit)) return [];
  const named = [input, ...diffs].flatMap((one) =>
    typeof one === "string" ? namedIn(one) : [...objectsIn(one)].flatMap(filesOf),
  );
  return inDirectory(edit, [...locations, ...named]);
}

/** Keys that group a call's input. */
const groupKeys = /^(changes|edits|diffs?|files|input|params|arguments|args|options|meta|_meta|add|update)$/i;

/** The files that one object of an input names: by its values, and by keys that say what to do in each. */
function filesOf(one: object): string[] {
  const entries = Object.entries(one);
  const hasFile = entries.some(([key]) => fileKeys.test(key));
  return entries.flatMap(([key, value]) => {
    if (isNeutral(key) || contentKeys.test(key) || (hasFile && directoryKeys.test(key))) return [];
    const isGroup = typeof value !== "object" || Array.isArray(value) || groupKeys.test(key);
    const texts = [value].flat(2).filter((text) => typeof text === "string");
    return [...(isGroup ? [] : [key]), ...texts.flatMap(namedIn)];
  });
}

/** The files in a text: those of a patch, or the text itself. */
function namedIn(text: string): string[] {
  const patched = [...text.matchAll(patchedFile)].flatMap(([, name = ""]) => patchedNames(name));
  return text.includes("\n") ? patched : [...patched, text];
}

/** Keys agents use for the directory that relative paths start from. */
const directoryKeys = /^(cwd|work_?dir|working_?directory|directory|dir_?path)$/i;

/** Whether a call shows a change, whatever kind its agent claims. */
export function showsEdit({ toolKind, input, diffs = [] }: Edit): boolean {
  if (isEdit(toolKind) || diffs.length > 0) return true;
  const objects = [...objectsIn(input)].map(Object.keys);
  if (objects.some((keys) => keys.some((key) => changeKeys.test(key)))) return true;
  // Text for a file may be something an unknown tool sends elsewhere; one that claims to read has no use for it.
  const writes = (keys: string[]) =>
    keys.some((key) => fileKeys.test(key)) && keys.some((key) => writtenKeys.test(key));
  return isReading(toolKind) && objects.some(writes);
}

const readingKinds: readonly ToolKind[] = ["read", "search", "fetch", "think"];

export const isReading = (toolKind: ToolKind): boolean => readingKinds.includes(toolKind);

/** Keys agents use for the file they work on. */
const fileKeys = /^(file|path|(file|notebook)_?path|file_?name|target_?file)$/i;

/** Keys agents use for the new text of a file. */
const writtenKeys = /^(contents?|text|data|body|(insert|file)_?text)$/i;

/** Whether an input names a file by one of the usual keys. */
export const hasFileKey = (input: unknown): boolean =>
  [...objectsIn(input)].some((one) => Object.keys(one).some((key) => fileKeys.test(key)));

/** Keys agents use for a change. If there is no input, the diffs serve as input. */
const changeKeys = /^(changes|diffs?|patch|(old|new)_?(text|str|string|source))$/i;

/** Whether an edit names a file at all. */
export function namesFile(edit: Edit): boolean {
  return [...mentionsIn(edit)].some(({ path, as }) => as === "value" || (as === "key" && /[/.]/.test(path)));
}

interface Mention {
  readonly path: string;
  readonly as: "value" | "key" | "command";
}

function* mentionsIn({ input, diffs = [], locations = [] }: Edit): Generator<Mention> {
  const value = (path: string): Mention => ({ path, as: "value" });
  yield* locations.map(value);
  const pending: unknown[] = [input, ...diffs];
  while (pending.length > 0) {
    const one = pending.pop();
    if (typeof one === "string") {
      yield* namedIn(one).map(value);
    } else if (Array.isArray(one)) {
      for (const inner of one) pending.push(inner);
    } else if (typeof one === "object" && one !== null) {
      yield* commandPaths(one).map((path) => ({ path, as: "command" as const }));
      for (const [key, inner] of Object.entries(one)) {
        if (contentKeys.test(key) && typeof inner === "string") continue;
        // Some name the files as keys, with what to do in each.
        yield { path: key, as: "key" };
        if (key !== "command") pending.push(inner);
      }
    }
  }
}

/** A patch's name for a file: quoted if it has unusual characters, with or without a prefix such as `a/`. */
function patchedNames(name: string): string[] {
  const unquoted = name
    .replace(/\t.*$/, "")
    .replaceAll('"', "")
    .replace(/\\([0-7]{3})/g, (_all, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
  return [unquoted, unquoted.replace(/^[^/]*\//, "")];
}

/**
 * `.git` in the other forms some file systems accept: in another case, with characters they ignore, by its short name.
 */
const gitName = /^(?:\.git|git~1)[. ]*$/i;

/** Drover's own configuration: it says what runs as an agent, and takes effect as soon as it is saved. */
const configName = /^drover\.yaml[. ]*$/i;

/** Whether an edit there decides what runs later: inside a `.git`, with its hooks and settings, or of `drover.yaml`. */
export function decidesWhatRuns(path: string): boolean {
  const names = plain(path)
    .split(/[/\\]/)
    .map((name) => name.replace(/\p{Cf}/gu, "").trim());
  return names.some((name) => gitName.test(name)) || configName.test(names.at(-1) ?? "");
}

/** A path without the escapes of a URL. */
function plain(path: string): string {
  if (!path.includes("%")) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
