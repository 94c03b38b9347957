import type { AgentAnswer, Fault } from "@drover/core";
import type { Json } from "../json.ts";
import { type AgentRequestMessage, permissionResult } from "./requests.ts";
import type { PermissionResult } from "./sdk-types.ts";

interface OpenRequest {
  readonly message: Json;
  readonly answered: PromiseWithResolvers<AgentAnswer | undefined>;
  readonly written: PromiseWithResolvers<void>;
}

/** The agent's requests that wait for a person. An answer may come before the SDK has been told of its request. */
export class OpenRequests {
  readonly #open = new Map<string, OpenRequest>();

  add({ requestKey, message }: AgentRequestMessage): void {
    if (this.#open.has(requestKey)) return;
    const written = Promise.withResolvers<void>();
    // Only who answers waits for it.
    written.promise.catch(() => undefined);
    this.#open.set(requestKey, { message, answered: Promise.withResolvers(), written });
  }

  /** The request as the agent sent it. */
  get(requestKey: string): Json | undefined {
    return this.#open.get(requestKey)?.message;
  }

  /** Resolves when the agent's input took it; the first answer counts. */
  async answer(requestKey: string, answer: AgentAnswer): Promise<void> {
    const request = this.#open.get(requestKey);
    request?.answered.resolve(answer);
    await request?.written.promise;
  }

  /** For the SDK: resolves with the answer, or with null when none is to be sent. */
  async respond(requestKey: string, signal: AbortSignal): Promise<PermissionResult | null> {
    const request = this.#open.get(requestKey);
    if (request === undefined) return null;
    signal.addEventListener("abort", () => this.drop(requestKey), { once: true });
    const answer = await request.answered.promise;
    return answer ? permissionResult(request.message, answer) : null;
  }

  /** The answer is on its way. */
  sent(requestKey: string | undefined, written: Promise<void>): void {
    if (requestKey === undefined) return;
    this.#open.get(requestKey)?.written.resolve(written);
    this.#open.delete(requestKey);
  }

  /** The agent waits for these and no others: what it took back or has heard already needs no answer. */
  keep(requestKeys: readonly string[]): void {
    for (const requestKey of this.#open.keys()) if (!requestKeys.includes(requestKey)) this.drop(requestKey);
  }

  /** The agent does not wait for it any more. */
  drop(requestKey: string): void {
    const request = this.#open.get(requestKey);
    this.#open.delete(requestKey);
    request?.answered.resolve(undefined);
    request?.written.resolve();
  }

  /** No answer reaches the agent from here any more. */
  close(fault: Fault): void {
    for (const { answered, written } of this.#open.values()) {
      answered.resolve(undefined);
      written.reject(fault);
    }
    this.#open.clear();
  }
}
