import { setImmediate, setTimeout } from "node:timers/promises";
import {
  type AgentContext,
  type ContentBlock,
  methods,
  type SessionUpdate,
  type ToolCall,
  type ToolCallContent,
  type ToolCallUpdate,
} from "@agentclientprotocol/sdk";
import { clip, countWords } from "./text.ts";

/** Writes to a file finish without the event loop turning: force a turn this often, so that a cancel is noticed. */
const updatesPerTick = 64;

/** How much of a reply is remembered; a stream of a million words must not be kept. */
const replyMax = 16 * 1024;

export interface TurnContext {
  readonly sessionId: string;
  readonly cwd: string;
  readonly client: AgentContext;
  /** Aborts when the prompt's request is cancelled or the connection ends. */
  readonly requestSignal: AbortSignal;
}

/**
 * One prompt being processed: its updates are sent in order, at its pace, and stop for good once it is cancelled. Every
 * method that sends rejects after that.
 */
export class Turn {
  readonly cwd: string;
  readonly signal: AbortSignal;
  readonly client: AgentContext;
  readonly sessionId: string;
  /** Pause between two updates. */
  paceMs = 0;
  #cancellation = new AbortController();
  #openCalls = new Set<string>();
  #sent = 0;
  #reply = "";
  #words = 0;

  constructor({ sessionId, cwd, client, requestSignal }: TurnContext) {
    this.sessionId = sessionId;
    this.cwd = cwd;
    this.client = client;
    this.signal = AbortSignal.any([this.#cancellation.signal, requestSignal]);
  }

  /** The text said so far, cut if it is too long to remember. */
  get reply(): string {
    return this.#reply;
  }

  /** The number of words said so far. */
  get words(): number {
    return this.#words;
  }

  cancel(): void {
    this.#cancellation.abort();
  }

  async send(update: SessionUpdate): Promise<void> {
    if (this.paceMs > 0 && this.#sent > 0) {
      await setTimeout(this.paceMs, undefined, { signal: this.signal });
    } else if (this.#sent % updatesPerTick === 0) {
      await setImmediate();
    }
    this.signal.throwIfAborted();
    this.#sent += 1;
    await this.#notify(update);
  }

  async say(text: string): Promise<void> {
    await this.send({ sessionUpdate: "agent_message_chunk", content: textBlock(text) });
    this.#words += countWords(text);
    if (this.#reply.length < replyMax) this.#reply = clip(this.#reply + text, replyMax);
  }

  async think(text: string): Promise<void> {
    await this.send({ sessionUpdate: "agent_thought_chunk", content: textBlock(text) });
  }

  /** Shows a tool call; it counts as open until an update completes or fails it. */
  async openCall(call: ToolCall): Promise<void> {
    await this.send({ sessionUpdate: "tool_call", ...call });
    this.#openCalls.add(call.toolCallId);
  }

  async updateCall(update: ToolCallUpdate): Promise<void> {
    await this.send({ sessionUpdate: "tool_call_update", ...update });
    if (update.status === "completed" || update.status === "failed")
      this.#openCalls.delete(update.toolCallId);
  }

  /** Fails the tool calls that an early end of the turn leaves open. The only thing a cancelled turn still sends. */
  async failOpenCalls(): Promise<void> {
    const content = textContent(this.signal.aborted ? "Cancelled" : "Failed");
    for (const toolCallId of this.#openCalls) {
      await this.#notify({ sessionUpdate: "tool_call_update", toolCallId, status: "failed", content });
    }
    this.#openCalls.clear();
  }

  /** Resolves when the update is written: a caller that awaits it never runs ahead of a slow reader. */
  #notify(update: SessionUpdate): Promise<void> {
    return this.client.notify(methods.client.session.update, { sessionId: this.sessionId, update });
  }
}

export function textBlock(text: string): ContentBlock {
  return { type: "text", text };
}

export function textContent(text: string): ToolCallContent[] {
  return [{ type: "content", content: textBlock(text) }];
}
