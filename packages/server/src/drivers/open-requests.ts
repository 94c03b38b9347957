import type { AgentAnswer, Fault } from "@drover/core";
import type { Json } from "./json.ts";

/** An agent's request that waits for a person, as the agent sent it. */
export interface AgentRequestMessage {
  readonly requestKey: string;
  readonly message: Json;
}

interface AnswerForm<Response> {
  /** The answer in the agent's format; undefined if the agent offers no such answer. */
  readonly response: (message: Json, answer: AgentAnswer) => Response | undefined;
  /** The answer sent when the agent withdraws its request; without one, nothing is sent. */
  readonly takenBack?: AgentAnswer;
}

interface OpenRequest {
  readonly message: Json;
  readonly answered: PromiseWithResolvers<AgentAnswer | undefined>;
  readonly written: PromiseWithResolvers<void>;
}

/** The agent's requests that wait for a person. An answer may arrive before the SDK has seen the request. */
export class OpenRequests<Response> {
  readonly #open = new Map<string, OpenRequest>();
  readonly #form: AnswerForm<Response>;

  constructor(form: AnswerForm<Response>) {
    this.#form = form;
  }

  add({ requestKey, message }: AgentRequestMessage): void {
    if (this.#open.has(requestKey)) return;
    const written = Promise.withResolvers<void>();
    // Avoid an unhandled rejection when nobody awaits this.
    written.promise.catch(() => undefined);
    this.#open.set(requestKey, { message, answered: Promise.withResolvers(), written });
  }

  /** The request as the agent sent it. */
  get(requestKey: string): Json | undefined {
    return this.#open.get(requestKey)?.message;
  }

  /** Resolves when the agent's input has taken the answer; the first answer counts. */
  async answer(requestKey: string, answer: AgentAnswer): Promise<void> {
    const request = this.#open.get(requestKey);
    request?.answered.resolve(answer);
    await request?.written.promise;
  }

  /** For the SDK: resolves with the answer in the agent's format, or undefined if none is to be sent. */
  async respond(requestKey: string, signal: AbortSignal): Promise<Response | undefined> {
    const request = this.#open.get(requestKey);
    if (request === undefined) return undefined;
    const { response, takenBack } = this.#form;
    const takeBack = (): void => (takenBack ? request.answered.resolve(takenBack) : this.#drop(requestKey));
    signal.addEventListener("abort", takeBack, { once: true });
    const answer = await request.answered.promise;
    return answer && response(request.message, answer);
  }

  /** The answer is being written. */
  sent(requestKey: string, written: Promise<void>): void {
    this.#open.get(requestKey)?.written.resolve(written);
    this.#open.delete(requestKey);
  }

  /** The agent waits only for these: requests it withdrew or that were answered before need no answer. */
  keep(requestKeys: readonly string[]): void {
    for (const requestKey of this.#open.keys()) if (!requestKeys.includes(requestKey)) this.#drop(requestKey);
  }

  /** No more answers reach the agent from here. */
  close(fault: Fault): void {
    for (const { answered, written } of this.#open.values()) {
      answered.resolve(undefined);
      written.reject(fault);
    }
    this.#open.clear();
  }

  /** The agent no longer waits for it. */
  #drop(requestKey: string): void {
    const request = this.#open.get(requestKey);
    this.#open.delete(requestKey);
    request?.answered.resolve(undefined);
    request?.written.resolve();
  }
}
