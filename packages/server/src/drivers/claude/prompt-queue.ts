import type { Fault } from "@drover/core";
import type { SdkUserMessage } from "./sdk-types.ts";

/** The SDK's streaming input: open as long as the process, and fed one prompt at a time. */
export class PromptQueue implements AsyncIterable<SdkUserMessage> {
  readonly #waiting: SdkUserMessage[] = [];
  readonly #unwritten = new Map<string, PromiseWithResolvers<void>>();
  #news = Promise.withResolvers<void>();
  #end: Fault | undefined;

  /** Resolves when the agent's input has taken all of it. */
  push(message: SdkUserMessage): Promise<void> {
    if (this.#end) return Promise.reject(this.#end);
    const written = Promise.withResolvers<void>();
    this.#unwritten.set(message.uuid, written);
    this.#waiting.push(message);
    this.#news.resolve();
    return written.promise;
  }

  /** The SDK has passed it on. */
  sent(uuid: string | undefined, written: Promise<void>): void {
    if (uuid === undefined) return;
    this.#unwritten.get(uuid)?.resolve(written);
    this.#unwritten.delete(uuid);
  }

  /** No more prompts are accepted. */
  close(fault: Fault): void {
    this.#end ??= fault;
    for (const { reject } of this.#unwritten.values()) reject(fault);
    this.#unwritten.clear();
    this.#news.resolve();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<SdkUserMessage> {
    while (this.#end === undefined) {
      for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) yield next;
      await this.#news.promise;
      this.#news = Promise.withResolvers();
    }
  }
}
