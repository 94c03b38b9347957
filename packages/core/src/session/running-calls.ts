import type { Item } from "../item.ts";
import { sizeOf } from "../size.ts";
import { maxRequestChanges, openLimits, oversized } from "./fact-bounds.ts";

interface RunningCall {
  readonly toolName: string;
  /** Sizes of its input, streamed and complete. */
  readonly text: number;
  readonly input: number;
  /** How often the agent has changed its requests about this call. */
  readonly changes: number;
}

/** Tool calls that have started and not ended, by Drover's id. Their number is limited: memory holds all of them. */
export class RunningCalls {
  private readonly calls: Map<string, RunningCall>;

  constructor(calls: Iterable<readonly [string, RunningCall]> = []) {
    this.calls = new Map(calls);
  }

  copy(): RunningCalls {
    return new RunningCalls(this.calls);
  }

  /** A call that the log already holds. */
  restore({ toolCallId, toolName, inputText, input }: NonNullable<Item["tool"]>): void {
    this.calls.set(toolCallId, { toolName, text: sizeOf(inputText), input: sizeOf(input), changes: 0 });
  }

  begin(toolCallId: string, toolName: string): void {
    if (this.calls.size >= openLimits.calls) {
      throw oversized(`more than ${openLimits.calls} unfinished tool calls`);
    }
    this.calls.set(toolCallId, { toolName, text: 0, input: 0, changes: 0 });
  }

  has(toolCallId: string): boolean {
    return this.calls.has(toolCallId);
  }

  toolName(toolCallId: string): string | undefined {
    return this.calls.get(toolCallId)?.toolName;
  }

  /** A piece of the input has been streamed. */
  addText(toolCallId: string, length: number): void {
    this.change(toolCallId, ({ text }) => ({ text: text + length }));
    this.checkSize();
  }

  /** The complete input is known, or has changed. */
  setInput(toolCallId: string, input: unknown): void {
    this.change(toolCallId, () => ({ input: sizeOf(input) }));
    this.checkSize();
  }

  /** The agent has changed a request about this call, which it may do only so often. */
  requestChanged(toolCallId: string): void {
    this.change(toolCallId, ({ changes }) => ({ changes: changes + 1 }));
    if ((this.calls.get(toolCallId)?.changes ?? 0) > maxRequestChanges) {
      throw oversized(`more than ${maxRequestChanges} changes of an unanswered request`);
    }
  }

  end(toolCallId: string): void {
    this.calls.delete(toolCallId);
  }

  clear(): void {
    this.calls.clear();
  }

  private change(toolCallId: string, news: (call: RunningCall) => Partial<RunningCall>): void {
    const call = this.calls.get(toolCallId);
    if (call) this.calls.set(toolCallId, { ...call, ...news(call) });
  }

  private checkSize(): void {
    let total = 0;
    for (const { text, input } of this.calls.values()) total += text + input;
    if (total <= openLimits.size) return;
    throw oversized(`more than ${openLimits.size} characters of input for unfinished tool calls`);
  }
}
