import type { AgentAnswer, Fault } from "@drover/core";
import type { Json } from "./json.ts";

/** A request of the agent's that waits for a person, as the agent sent it. */
export interface AgentRequestMessage {
  readonly requestKey: string;
  readonly message: Json;
}

interface AnswerForm<Response> {
  /** The agent's own form of an answer; undefined when it offers no way to say this. */
  readonly response: (message: Json, answer: AgentAnswer) => Response | undefined;
  /** What the agent is answered when it takes its request back; where there is none, it hears no more of it. */
  readonly takenBack?: AgentAnswer;
}

interface OpenRequest {
  readonly message: Json;
  readonly answered: PromiseWithResolvers<AgentAnswer | undefined>;
  readonly written: PromiseWithResolvers<void>;
}

/** The agent's requests that wait for a person. An answer may come before the SDK has been told of its request. */
export class OpenRequests<Response> {
  readonly #open = new Map<string, OpenRequest>();
  readonly #form: AnswerForm<Response>;

  constructor(form: AnswerForm<Response>) {
    this.#form = form;
  }

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

  /** For the SDK: resolves with the agent's form of the answer, or with undefined when none is to be sent. */
  async respond(requestKey: string, signal: AbortSignal): Promise<Response | undefined> {
    const request = this.#open.get(requestKey);
    if (request === undefined) return undefined;
    const { response, takenBack } = this.#form;
    const takeBack = (): void => (takenBack ? request.answered.resolve(takenBack) : this.#drop(requestKey));
    signal.addEventListener("abort", takeBack, { once: true });
    const answer = await request.answered.promise;
    return answer && response(request.message, answer);
  }

  /** The answer is on its way. */
  sent(requestKey: string, written: Promise<void>): void {
    this.#open.get(requestKey)?.written.resolve(written);
    this.#open.delete(requestKey);
  }

  /** The agent waits for these and no others: what it took back or has heard already needs no answer. */
  keep(requestKeys: readonly string[]): void {
    for (const requestKey of this.#open.keys()) if (!requestKeys.includes(requestKey)) this.#drop(requestKey);
  }

  /** No answer reaches the agent from here any more. */
  close(fault: Fault): void {
    for (const { answered, written } of this.#open.values()) {
      answered.resolve(undefined);
      written.reject(fault);
    }
    this.#open.clear();
  }

  /** The agent does not wait for it any more. */
  #drop(requestKey: string): void {
    const request = this.#open.get(requestKey);
    this.#open.delete(requestKey);
    request?.answered.resolve(undefined);
    request?.written.resolve();
  }
}
