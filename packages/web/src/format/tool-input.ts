/** A change of one file. */
export interface FileChange {
  readonly path: string;
  /** Null for a new file, undefined if unknown. */
  readonly before?: string | null;
  readonly after: string;
  /** The input keys it was read from. */
  readonly source?: ChangeSource;
}

export interface ChangeSource {
  readonly keys: { readonly path: string; readonly before?: string; readonly after: string };
  /** The list it is an element of. */
  readonly list?: { readonly key: "edits" | "diffs"; readonly at: number };
  /** Further keys of the same element. */
  readonly extra: Fields;
}

export type Fields = Readonly<Record<string, unknown>>;

/**
 * The parts of a tool's input. Together they are the whole input: a value is interpreted only when exactly one reading
 * is possible, and everything else stays in `rest`.
 */
export interface ToolInput {
  /** A command line, or a list of arguments. Never empty. */
  readonly command?: string | readonly string[];
  readonly plan?: string;
  readonly changes: readonly FileChange[];
  /** The fields that no other part holds, as the agent sent them. Undefined if there are none. */
  readonly rest: unknown;
}

export function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

const pathKeys = ["path", "file_path", "filePath"];
const beforeKeys = ["oldText", "old_string", "oldString"];
const afterKeys = ["newText", "new_string", "newString", "content", "text"];

export function readInput(input: unknown): ToolInput {
  const fields = fieldsOf(input);
  if (!fields) return { changes: [], rest: input };
  const { command, plan } = fields;
  const isCommand = isText(command) || (Array.isArray(command) && isArgv(command));
  const isPlan = isText(plan);
  const { changes, rest } = takeChanges(
    without(fields, [...(isCommand ? ["command"] : []), ...(isPlan ? ["plan"] : [])]),
  );
  const isRestShown = Object.keys(rest).length > 0 || Object.keys(fields).length === 0;
  return {
    ...(isCommand ? { command } : {}),
    ...(isPlan ? { plan } : {}),
    changes,
    rest: isRestShown ? rest : undefined,
  };
}

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";

const isArgv = (list: readonly unknown[]) => list.length > 0 && list.every((one) => typeof one === "string");

const without = (fields: Fields, keys: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([key]) => !keys.includes(key)));

function takeChanges(fields: Fields): { changes: readonly FileChange[]; rest: Fields } {
  const diffs = readList(fields["diffs"], "diffs", readChange);
  const others = diffs ? without(fields, ["diffs"]) : fields;
  const { changes, rest } = takeOwnChanges(others);
  return { changes: [...(diffs ?? []), ...changes], rest };
}

/** The change that the fields themselves describe, or the list of edits to their one file. */
function takeOwnChanges(fields: Fields): { changes: readonly FileChange[]; rest: Fields } {
  const own = readChange(fields);
  if (own) return { changes: [{ ...own, source: { ...own.source, extra: {} } }], rest: own.source.extra };
  const [key, ...moreKeys] = present(fields, pathKeys);
  const path = key === undefined ? undefined : fields[key];
  if (key === undefined || moreKeys.length > 0 || !isText(path)) return { changes: [], rest: fields };
  const edits = readList(fields["edits"], "edits", (edit) =>
    present(edit, pathKeys).length > 0 ? undefined : readChange(edit, { key, path }),
  );
  return edits ? { changes: edits, rest: without(fields, [key, "edits"]) } : { changes: [], rest: fields };
}

type ReadChange = FileChange & { readonly source: ChangeSource };

/** Reads every element as a change; undefined unless all of them are changes. */
function readList(
  list: unknown,
  key: "edits" | "diffs",
  read: (fields: Fields) => ReadChange | undefined,
): readonly FileChange[] | undefined {
  if (!Array.isArray(list) || list.length === 0) return undefined;
  const changes = list.map((one, at) => {
    const change = read(fieldsOf(one) ?? {});
    return change && { ...change, source: { ...change.source, list: { key, at } } };
  });
  return changes.every((change) => change !== undefined) ? changes : undefined;
}

/** Reads a change from these fields. Undefined if two keys mean the same, or a value has another type. */
export function readChange(fields: Fields, outer?: { key: string; path: string }): ReadChange | undefined {
  const found = [pathKeys, beforeKeys, afterKeys].map((keys) => present(fields, keys));
  if (found.some(({ length }) => length > 1)) return undefined;
  const [[pathKey], [beforeKey], [afterKey]] = found as [string[], string[], string[]];
  const path = outer?.path ?? (pathKey === undefined ? undefined : fields[pathKey]);
  const before = beforeKey === undefined ? undefined : fields[beforeKey];
  const after = afterKey === undefined ? undefined : fields[afterKey];
  if (!isText(path) || typeof after !== "string" || afterKey === undefined) return undefined;
  if (before !== undefined && before !== null && typeof before !== "string") return undefined;
  // Without a line on either side there is nothing to show.
  if (after === "" && !before) return undefined;
  const keys = {
    path: outer?.key ?? pathKey ?? "",
    ...(beforeKey === undefined ? {} : { before: beforeKey }),
    after: afterKey,
  };
  const extra = without(fields, [...found.flat()]);
  return { path, ...(before === undefined ? {} : { before }), after, source: { keys, extra } };
}

const present = (fields: Fields, keys: readonly string[]) => keys.filter((key) => Object.hasOwn(fields, key));

/** An argument list as typed in a shell, so that `a b` differs from two arguments `a` and `b`. */
export const commandLine = (command: string | readonly string[]): string =>
  typeof command === "string" ? command : command.map(quoted).join(" ");

const quoted = (argument: string) =>
  /^[\w@%+=:,./-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`;

/** The input keys of a change: `diffs[0] · path · oldText → newText`. */
export function sourceWords({ keys, list }: ChangeSource): string {
  const { path, before, after } = keys;
  const where = list ? [`${list.key}[${list.at}]`] : [];
  return [...where, path, before === undefined ? after : `${before} → ${after}`].join(" · ");
}
