import type { AgentFact, ToolKind } from "@drover/core";

export interface Call {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly kind: ToolKind;
  readonly title: string;
  readonly input: unknown;
}

/** People look for the end of an output. It goes into one event, which must stay small. */
const MAX_OUTPUT = 262_144;
const MAX_TITLE = 200;

/** An agent's calls and messages in order: each call starts once, and messages do not run together. */
export class Calls {
  readonly #started = new Set<string>();
  #hasSpoken = false;

  /** A complete message of the agent. */
  say(words: string): AgentFact[] {
    if (words === "") return [];
    const gap = this.#hasSpoken ? "\n\n" : "";
    this.#hasSpoken = true;
    return [{ type: "text", text: gap + words }];
  }

  begin({ input, ...call }: Call): AgentFact[] {
    if (this.#started.has(call.toolCallId)) return [];
    this.#started.add(call.toolCallId);
    this.#hasSpoken = false;
    const title = titleOf(call.title);
    return [
      { type: "tool_start", ...call, title },
      { type: "tool_ready", toolCallId: call.toolCallId, input },
    ];
  }

  end(toolCallId: string, status: "complete" | "error" | "denied", result: Result): AgentFact[] {
    if (!this.#started.delete(toolCallId)) return [];
    const { text, ...more } = result;
    const shown = text === undefined ? {} : { text: text.slice(-MAX_OUTPUT) };
    return [{ type: "tool_result", toolCallId, status, result: { ...shown, ...more } }];
  }
}

export interface Result {
  readonly text?: string | undefined;
  readonly exitCode?: number | undefined;
}

function titleOf(words: string): string {
  const line = words.trim().split("\n", 1)[0] ?? "";
  return line.length > MAX_TITLE ? `${line.slice(0, MAX_TITLE)}…` : line;
}
