import { type Fields, type FileChange, fieldsOf } from "./tool-input.ts";

export interface ToolOutput {
  readonly text: string;
  readonly exitCode?: number;
  readonly changes: readonly FileChange[];
}

/** A tool's output. Drover's drivers send `{text, diffs, exitCode, rawOutput}`; agents send other shapes. */
export function readOutput(result: unknown, isDenied = false): ToolOutput {
  const output = readAnyOutput(result);
  return isDenied ? { ...output, text: deniedText(output.text) } : output;
}

/** Removes what agents put before the reason, as in "Denied: User denied tool execution: not today". */
function deniedText(text: string): string {
  const reason = text.trim().replace(/^(?:denied:? *)?(?:user denied tool execution:? *)?/i, "");
  return reason === "" ? "" : `Denied: ${reason}`;
}

function readAnyOutput(result: unknown): ToolOutput {
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

/** Changes as drivers report them: `oldText` is null for a new file. */
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

/** The card shows the exit code separately. */
const withoutExitLine = (text: string) => text.replace(/(^|\n)Exit code: -?\d+\s*$/, "");
