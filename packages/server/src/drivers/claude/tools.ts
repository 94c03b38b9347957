import type { ToolKind } from "@drover/core";
import { isRecord, type Json, record, records, text } from "../json.ts";

/** Claude Code's own tools (2.1.325); tools of MCP servers are `other`. */
const kinds: Readonly<Record<string, ToolKind>> = {
  Bash: "execute",
  BashOutput: "read",
  TaskOutput: "read",
  Monitor: "execute",
  KillShell: "execute",
  Read: "read",
  NotebookRead: "read",
  LS: "search",
  Glob: "search",
  Grep: "search",
  Edit: "edit",
  MultiEdit: "edit",
  Write: "edit",
  NotebookEdit: "edit",
  WebFetch: "fetch",
  WebSearch: "fetch",
  web_fetch: "fetch",
  web_search: "fetch",
  TodoWrite: "think",
  TaskCreate: "think",
  TaskUpdate: "think",
  TaskList: "think",
  TaskGet: "think",
  EnterPlanMode: "switch_mode",
  ExitPlanMode: "plan",
};

export const kindOf = (toolName: string): ToolKind => kinds[toolName] ?? "other";

const MAX_TITLE = 200;

/** What a call does, in one line; the tool's name while its input is unknown. */
export function titleOf(toolName: string, input: unknown): string {
  const words = titleWords(toolName, record(input))?.trim();
  if (!words) return toolName;
  const line = words.split("\n", 1)[0] ?? "";
  return line.length < words.length || line.length > MAX_TITLE ? `${line.slice(0, MAX_TITLE)}…` : line;
}

function titleWords(toolName: string, input: Json): string | undefined {
  const path = text(input["file_path"]) ?? text(input["notebook_path"]) ?? text(input["path"]);
  switch (toolName) {
    case "Bash":
    case "Monitor":
      return text(input["command"]);
    case "Read":
    case "Edit":
    case "MultiEdit":
    case "Write":
    case "NotebookEdit":
      return path && `${toolName} ${path}`;
    case "Glob":
    case "Grep":
      return text(input["pattern"]) && `${toolName} ${text(input["pattern"])}`;
    case "WebFetch":
      return text(input["url"]) && `Fetch ${text(input["url"])}`;
    case "WebSearch":
      return text(input["query"]) && `Search ${text(input["query"])}`;
    case "Agent":
    case "Task":
      return text(input["description"]);
    case "TaskCreate":
      return text(input["subject"]);
    case "ExitPlanMode":
      return "Plan";
    default:
      return undefined;
  }
}

/** People look for the end of an output. It goes into one event, which must stay small. */
const MAX_OUTPUT = 262_144;

/** A tool's output: its texts joined, and files before and after. */
export function resultOf(block: Json, structured: unknown): unknown {
  const { content } = block;
  const words = text(content) ?? records(content).map(wordsOf).join("\n");
  const diff = diffOf(record(structured));
  return { text: clean(words).slice(-MAX_OUTPUT), ...(diff ? { diffs: [diff] } : {}) };
}

/** Transcripts are text; other content is replaced by its name. */
const wordsOf = (part: Json): string => text(part["text"]) ?? `[${text(part["type"]) ?? "content"}]`;

/** A marker for the model, not for people. */
const clean = (words: string): string => words.replace(/^<tool_use_error>(.*)<\/tool_use_error>$/s, "$1");

function diffOf(result: Json): { path: string; oldText: string | null; newText: string } | undefined {
  const path = text(result["filePath"]);
  if (path === undefined) return undefined;
  const { oldString, newString, originalFile, content } = result;
  if (typeof oldString === "string" && typeof newString === "string") {
    return { path, oldText: oldString, newText: newString };
  }
  if (typeof content !== "string" || content.length > MAX_OUTPUT) return undefined;
  const before = text(originalFile) ?? null;
  return before !== null && before.length > MAX_OUTPUT
    ? undefined
    : { path, oldText: before, newText: content };
}

/** Whether the tool was prevented from running: by a person, a rule or a mode. */
export function isDenied(message: Json, toolCallId: string): boolean {
  const meta = records(message["tool_result_meta"]).find((one) => one["id"] === toolCallId);
  if (meta === undefined) return false;
  const { decision } = record(meta["permission_decision"]);
  const kind = meta["non_execution_kind"];
  return decision === "reject" || kind === "user-rejected" || kind === "permission-rule";
}

/** `{}` is a placeholder for an input that is still to come. */
export const isKnown = (input: unknown): boolean =>
  input !== undefined && !(isRecord(input) && Object.keys(input).length === 0);
