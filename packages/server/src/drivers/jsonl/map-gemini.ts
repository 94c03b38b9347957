import { type AgentFact, type DoneReason, Fault, type Preset, type ToolKind, type Usage } from "@drover/core";
import type { AgentExit } from "../../ports.ts";
import { authFailed, distrusted, httpFault, resumeUnknown } from "../http-fault.ts";
import { type Json, number, parseRecord, record, text } from "../json.ts";
import { limitFault } from "../limits.ts";
import { type LineMapper, Tally } from "../line-mapper.ts";
import { cut, type Ending, failed, lastLine } from "../output.ts";
import { Calls } from "./calls.ts";

/** `gemini -o stream-json` (0.61). */
export class GeminiMapper implements LineMapper {
  readonly unknown = new Tally();
  ending: Ending | undefined;
  /** It forgets a conversation in which its model has not answered (0.61). */
  isKept = false;
  readonly #name: string;
  readonly #calls = new Calls();
  /** The error it reported; the kind of failure follows from its exit code. */
  #error: Json | undefined;

  constructor({ name }: Preset) {
    this.#name = name;
  }

  get awaitsExit(): boolean {
    return this.#error !== undefined;
  }

  map(message: Json): AgentFact[] {
    const { type } = message;
    switch (type) {
      case "init": {
        const model = text(message["model"]);
        return model === undefined ? [] : [{ type: "model", model }];
      }
      case "message":
        if (message["role"] !== "assistant") return [];
        this.isKept = true;
        return speech(message);
      case "tool_use":
        this.isKept = true;
        return this.#call(message);
      case "tool_result": {
        const status = message["status"] === "success" ? "complete" : "error";
        const output = text(message["output"]) ?? text(record(message["error"])["message"]);
        return this.#calls.end(text(message["tool_id"]) ?? "", status, { text: output });
      }
      case "error":
        return [
          { type: "notice", code: "AGENT_NOTICE", message: cut(text(message["message"]) ?? ""), facts: {} },
        ];
      case "result":
        this.#result(message);
        return [];
      default:
        this.unknown.count(type);
        return [];
    }
  }

  conclude({ code, stderrTail }: AgentExit, now: number): Ending | undefined {
    const error = this.#error;
    const said = error ? messageOf(error) : "";
    const usage = this.ending?.usage;
    const reason = reasons[code ?? 0];
    if (reason !== undefined) return { reason, ...(usage ? { usage } : {}) };
    const message = said || `${this.#name} failed.${lastLine(stderrTail)}`;
    const fault =
      programFault({ name: this.#name, code, message, stderrTail }) ??
      serverFault({ name: this.#name, code, message, error, now });
    return fault && failed(fault, usage);
  }

  beginTurn(): void {
    this.ending = undefined;
    this.#error = undefined;
  }

  #call(message: Json): AgentFact[] {
    const toolCallId = text(message["tool_id"]);
    const toolName = text(message["tool_name"]) ?? "tool";
    if (toolCallId === undefined) return [];
    const input = message["parameters"];
    const kind = kinds[toolName] ?? "other";
    return this.#calls.begin({ toolCallId, toolName, kind, title: titleOf(toolName, record(input)), input });
  }

  #result(message: Json): void {
    const usage = usageOf(record(message["stats"]));
    if (message["status"] === "success") {
      this.ending = { reason: "end_turn", usage };
      return;
    }
    this.#error = record(message["error"]);
    this.ending = failed(new Fault("MODEL_ERROR", messageOf(this.#error)), usage);
  }
}

function speech(message: Json): AgentFact[] {
  const words = text(message["content"]) ?? "";
  return words === "" ? [] : [{ type: "text", text: words }];
}

const kinds: Readonly<Record<string, ToolKind>> = {
  run_shell_command: "execute",
  write_file: "edit",
  replace: "edit",
  read_file: "read",
  read_many_files: "read",
  list_directory: "search",
  glob: "search",
  grep_search: "search",
  search_file_content: "search",
  web_fetch: "fetch",
  google_web_search: "fetch",
  save_memory: "think",
  write_todos: "think",
};

function titleOf(toolName: string, input: Json): string {
  const path = text(input["file_path"]) ?? text(input["path"]) ?? text(input["dir_path"]);
  return text(input["command"]) ?? (path ? `${toolName} ${path}` : toolName);
}

const usageOf = (stats: Json): Usage => ({
  inputTokens: number(stats["input_tokens"]) ?? 0,
  outputTokens: number(stats["output_tokens"]) ?? 0,
});

/** The model server's message, which the program quotes as JSON or verbatim, followed by its own advice. */
function messageOf(error: Json): string {
  const said = text(error["message"]) ?? "";
  return cut(text(serverError(said)["message"]) || quoted(said) || said || "The agent gave no reason");
}

const quoted = (said: string): string => /^\[API Error: (.*)\]$/m.exec(said)?.[1] ?? "";
const serverError = (said: string): Json => record(parseRecord(quoted(said))?.["error"]);

/** Exit codes that say how a turn ended rather than that something went wrong. */
const reasons: Readonly<Record<number, DoneReason>> = { 53: "max_turns", 130: "cancelled" };

interface Failure {
  readonly name: string;
  readonly code: number | null;
  readonly message: string;
}

/** The meaning of its own exit codes. */
function programFault({
  name,
  code,
  message,
  stderrTail,
}: Failure & { stderrTail: string }): Fault | undefined {
  switch (code) {
    case 41:
      return authFailed(name, message);
    case 42:
      return /^Error resuming session\b/m.test(stderrTail)
        ? resumeUnknown(name)
        : new Fault("AGENT_PROTOCOL", message);
    case 44:
    case 52:
      return new Fault("AGENT_UNREACHABLE", message);
    case 55:
      return distrusted(name);
    default:
      return undefined;
  }
}

interface ServerError {
  readonly error: Json | undefined;
  readonly now: number;
}

/** Its exit code is the HTTP status modulo 256 if a server responded; the status is also in its message. */
function serverFault({ name, code, message, error, now }: Failure & ServerError): Fault | undefined {
  const reported = error && number(serverError(text(error["message"]) ?? "")["code"]);
  const status = reported ?? statuses.find((one) => one % 256 === code);
  // These two have no exit code of their own, only a message (0.61).
  if (status === 429 && /^You have exhausted your\b/.test(message))
    return limitFault(message, undefined, now);
  const isNetwork = code === 1 && /^(?:exception TypeError: fetch failed\b|terminated$)/.test(message);
  if (status !== undefined || isNetwork) return httpFault({ name, message, status });
  return error && new Fault("MODEL_ERROR", message);
}

const statuses = [400, 401, 403, 404, 408, 413, 429, 500, 502, 503, 504, 529];
