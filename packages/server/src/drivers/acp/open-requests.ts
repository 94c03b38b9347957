import type { AgentAnswer, Fault } from "@drover/core";
import type { Json } from "../json.ts";
import { elicitationResponse } from "./elicitation.ts";
import { permissionResponse } from "./permission.ts";
import type { AgentRequestMessage } from "./reader.ts";

interface OpenRequest {
  readonly message: Json;
  readonly answered: PromiseWithResolvers<AgentAnswer>;
  readonly written: PromiseWithResolvers<void>;
}

/** The agent's requests that wait for a person. An answer may come before the SDK has seen its request. */
export class OpenRequests {
  readonly #open = new Map<string, OpenRequest>();

  add({ requestKey, message }: AgentRequestMessage): void {
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

  /** Resolves with the protocol's form of the answer, or when the agent takes its request back. */
  async respond(requestKey: string, signal: AbortSignal): Promise<unknown> {
    const request = this.#open.get(requestKey);
    if (request === undefined) return undefined;
    const takeBack = (): void => request.answered.resolve({ type: "cancelled" });
    signal.addEventListener("abort", takeBack, { once: true });
    const answer = await request.answered.promise;
    const { method, params } = request.message;
    return method === "elicitation/create"
      ? elicitationResponse(params, answer)
      : permissionResponse(params, answer);
  }

  /** The answer is on its way. */
  sent(requestKey: string, written: Promise<void>): void {
    this.#open.get(requestKey)?.written.resolve(written);
    this.#open.delete(requestKey);
  }

  /** No answer reaches the agent from here any more. */
  close(fault: Fault): void {
    for (const { written } of this.#open.values()) written.reject(fault);
    this.#open.clear();
  }
}
