/** A change of one file. Without `before`, what was there is not known. */
export interface FileChange {
  readonly path: string;
  readonly before?: string;
  readonly after: string;
}

/** What a tool was given, taken apart for reading. Every key is in exactly one field: nothing is left unshown. */
export interface ToolInput {
  readonly command?: string;
  readonly plan?: string;
  readonly changes: readonly FileChange[];
  readonly rest: Readonly<Record<string, unknown>>;
}

export interface ToolOutput {
  readonly text: string;
  readonly exitCode?: number;
  readonly changes: readonly FileChange[];
}

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

/** The first of these keys that holds a string, and the other keys. */
function take(fields: Fields, ...keys: string[]): { value?: string; rest: Fields } {
  const key = keys.find((name) => typeof fields[name] === "string");
  if (key === undefined) return { rest: fields };
  const { [key]: value, ...rest } = fields;
  return { value: value as string, rest };
}

const pathKeys = ["path", "file_path", "filePath"];
const beforeKeys = ["oldText", "old_string", "oldString"];
const afterKeys = ["newText", "new_string", "newString", "content", "text"];

export function readInput(input: unknown): ToolInput {
  const fields = fieldsOf(input);
  if (!fields) return { changes: [], rest: input === undefined || input === null ? {} : { input } };
  const argv = fields["command"];
  const joined = Array.isArray(argv) ? { ...fields, command: argv.map(quoted).join(" ") } : fields;
  const { value: command, rest: afterCommand } = take(joined, "command");
  const { value: plan, rest: afterPlan } = take(afterCommand, "plan");
  const { diffs, ...withoutDiffs } = afterPlan;
  const shown = changesOf(diffs);
  const { changes, rest } =
    shown.length > 0 ? { changes: shown, rest: withoutDiffs } : takeChanges(afterPlan);
  return {
    ...(command === undefined ? {} : { command }),
    ...(plan === undefined ? {} : { plan }),
    changes,
    rest,
  };
}

/** An argument as it would be typed, so that `a b` and two arguments `a` and `b` look different. */
function quoted(argument: unknown): string {
  const text = String(argument);
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

function takeChanges(fields: Fields): { changes: FileChange[]; rest: Fields } {
  const { value: path, rest: withoutPath } = take(fields, ...pathKeys);
  if (path === undefined) return { changes: [], rest: fields };
  const { value: before, rest: withoutBefore } = take(withoutPath, ...beforeKeys);
  const { value: after, rest } = take(withoutBefore, ...afterKeys);
  if (after !== undefined) return { changes: [change(path, before, after)], rest };
  const { edits, ...others } = withoutPath;
  const changes = Array.isArray(edits) ? edits.map((edit) => changeOf(path, edit)) : [];
  const complete = changes.length > 0 && changes.every((c) => c !== undefined);
  return complete ? { changes, rest: others } : { changes: [], rest: fields };
}

function changeOf(path: string, edit: unknown): FileChange | undefined {
  const { value: before, rest } = take(fieldsOf(edit) ?? {}, ...beforeKeys);
  const { value: after, rest: more } = take(rest, ...afterKeys);
  return after === undefined || Object.keys(more).length > 0 ? undefined : change(path, before, after);
}

const change = (path: string, before: string | undefined, after: string): FileChange =>
  before === undefined ? { path, after } : { path, before, after };

/** What a tool gave back. Drover's drivers say `{text, diffs, exitCode, rawOutput}`; the rest is as agents have it. */
export function readOutput(result: unknown): ToolOutput {
  if (typeof result === "string") return { text: result, changes: [] };
  if (Array.isArray(result)) return joined(result.map(readBlock));
  const fields = fieldsOf(result);
  if (!fields) return { text: result === undefined || result === null ? "" : String(result), changes: [] };
  const raw = fieldsOf(fields["rawOutput"]) ?? {};
  const exitCode = exitCodeOf(fields) ?? exitCodeOf(raw);
  const read = readBody(fields);
  return exitCode === undefined ? read : { ...read, text: withoutExitLine(read.text), exitCode };
}

function readBody(fields: Fields): ToolOutput {
  const { text, diffs, content, rawOutput } = fields;
  const changes = changesOf(diffs);
  if (typeof text === "string" || changes.length > 0) {
    return { text: typeof text === "string" ? text : "", changes };
  }
  const body = content ?? rawOutput;
  return body === undefined ? readFields(fields) : readOutput(body);
}

/** Changes as drivers tell them: `oldText` is null for a new file. */
function changesOf(diffs: unknown): FileChange[] {
  return Array.isArray(diffs) ? diffs.flatMap((diff) => readBlock({ type: "diff", ...diff }).changes) : [];
}

function readFields(fields: Fields): ToolOutput {
  const texts = ["text", "output", "stdout", "stderr", "error", "message"]
    .map((key) => fields[key])
    .filter((value) => typeof value === "string" && value !== "");
  if (texts.length > 0) return { text: texts.join("\n"), changes: [] };
  const { exitCode: _, exit_code: __, ...rest } = fields;
  return { text: Object.keys(rest).length === 0 ? "" : JSON.stringify(rest, null, 2), changes: [] };
}

function readBlock(block: unknown): ToolOutput {
  const fields = fieldsOf(block);
  if (!fields) return { text: String(block), changes: [] };
  const { type, content, text, path, oldText, newText } = fields;
  if (type === "diff" && typeof path === "string" && typeof newText === "string") {
    return {
      text: "",
      changes: [{ path, before: typeof oldText === "string" ? oldText : "", after: newText }],
    };
  }
  if (typeof text === "string") return { text, changes: [] };
  if (content !== undefined) return Array.isArray(content) ? readOutput(content) : readBlock(content);
  return { text: `[${typeof type === "string" ? type : "content"}]`, changes: [] };
}

function joined(outputs: readonly ToolOutput[]): ToolOutput {
  return {
    text: outputs
      .map(({ text }) => text)
      .filter((text) => text !== "")
      .join("\n"),
    changes: outputs.flatMap(({ changes }) => changes),
  };
}

function exitCodeOf(fields: Fields): number | undefined {
  const code = fields["exitCode"] ?? fields["exit_code"];
  return typeof code === "number" ? code : undefined;
}

/** The card shows the exit code by itself. */
const withoutExitLine = (text: string) => text.replace(/(^|\n)Exit code: -?\d+\s*$/, "");
