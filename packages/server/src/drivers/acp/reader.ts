import type { AgentFact, AuthMethod } from "@drover/core";
import type { Line } from "../../process/lines.ts";
import { BadLines, skippedLine } from "../bad-lines.ts";
import { FactBatch } from "../fact-batch.ts";
import { type Json, parseExactly, parseRecord, record } from "../json.ts";
import type { AgentRequestMessage } from "../open-requests.ts";
import { ChunkTemplate } from "./chunk-template.ts";
import { mapElicitation } from "./elicitation.ts";
import type { UpdateMapper } from "./map.ts";
import { mapPermission } from "./permission.ts";
import { turnEnd } from "./turn-end.ts";

/** The result of reading a batch of lines. */
export interface Reading {
  readonly facts: readonly AgentFact[];
  readonly requests: readonly AgentRequestMessage[];
  /** Messages for the protocol layer, in order: responses to our requests, and the agent's requests. */
  readonly messages: readonly Json[];
}

export interface ReaderOptions {
  readonly mapper: UpdateMapper;
  /** The agent's display name. */
  readonly name: string;
  /**
   * Whether the response with this id opens the conversation: anything before it is history that our log already has.
   */
  readonly opensConversation: (id: unknown) => boolean;
  /** The conversation is already open. */
  readonly isOpen: boolean;
  readonly now: () => number;
  readonly authMethods?: () => readonly AuthMethod[] | undefined;
}

/** The prompt's id names its turn, so that the response means the same to every later server. */
export const promptId = (turnId: string): string => `${PROMPT}${turnId}`;
const PROMPT = "p:";

/** An agent's output → facts and messages. Throws a Fault only for a message that is nested too deep. */
export class Reader {
  readonly #options: ReaderOptions;
  readonly #template = new ChunkTemplate();
  #isOpen: boolean;
  readonly #badLines: BadLines;

  constructor(options: ReaderOptions) {
    this.#options = options;
    this.#isOpen = options.isOpen;
    this.#badLines = new BadLines(options.name);
  }

  read(lines: readonly Line[]): Reading {
    const draft: Draft = { batch: new FactBatch(), requests: [], messages: [] };
    for (const line of lines) {
      if (line.kind === "skipped") draft.batch.push(skippedLine(line.length));
      else if (!this.#line(line.text, draft) && line.kind === "line") this.#complain(line.text, draft);
    }
    const { batch, requests, messages } = draft;
    return { facts: batch.facts, requests, messages };
  }

  /** False if the line is not a protocol message. */
  #line(line: string, draft: Draft): boolean {
    const words = this.#template.read(line);
    if (words !== undefined) {
      if (this.#isOpen) draft.batch.speak(this.#template.voice, words);
      return true;
    }
    if (line.trim() === "") return true;
    const message = withExactInput(line, parseRecord(line));
    if (message === undefined || !isId(message["id"])) return false;
    if (message["method"] === "session/update" && message["id"] === undefined) {
      if (this.#isOpen) this.#update(line, message, draft);
      return true;
    }
    if (typeof message["method"] === "string") {
      this.#call(message, draft);
      return true;
    }
    return this.#answer(message, draft);
  }

  #update(line: string, message: Json, { batch }: Draft): void {
    const chunk = this.#options.mapper.map(message["params"], batch);
    if (chunk) this.#template.learn(line, chunk);
  }

  /** Handles the agent's requests, and of its notifications only the one that withdraws a request. */
  #call(message: Json, draft: Draft): void {
    const { method, params, id } = message;
    if (id === undefined) {
      if (method !== "$/cancel_request") return;
      const requestKey = requestKeyOf(record(params)["requestId"]);
      draft.batch.push({ type: "request_withdrawn", requestKey });
      draft.messages.push(message);
      return;
    }
    const requestKey = requestKeyOf(id);
    const request = { requestKey, params };
    const waits =
      (method === "session/request_permission" &&
        mapPermission(request, this.#options.mapper.tools, draft.batch)) ||
      (method === "elicitation/create" && mapElicitation(request, draft.batch));
    if (waits) draft.requests.push({ requestKey, message });
    draft.messages.push(message);
  }

  #answer(message: Json, draft: Draft): boolean {
    const { id } = message;
    if (id === undefined || !("result" in message || "error" in message)) return false;
    if (typeof id === "string" && id.startsWith(PROMPT)) {
      const { now, authMethods } = this.#options;
      const context = { now: now(), authMethods: authMethods?.() };
      draft.batch.push(turnEnd(id.slice(PROMPT.length), message, context));
      this.#options.mapper.tools.endTurn();
      return true;
    }
    if ("result" in message && this.#options.opensConversation(id)) this.#isOpen = true;
    draft.messages.push(message);
    return true;
  }

  #complain(line: string, { batch }: Draft): void {
    const fact = this.#isOpen ? this.#badLines.report(line) : this.#badLines.reportStartup(line);
    if (fact) batch.push(fact);
  }
}

interface Draft {
  readonly batch: FactBatch;
  readonly requests: AgentRequestMessage[];
  readonly messages: Json[];
}

/** A person approves what is shown: a large number in a tool's input must not be shown rounded. */
function withExactInput(line: string, message: Json | undefined): Json | undefined {
  if (message === undefined || !message["params"] || !/\d{16}|\de\+?\d/i.test(line)) return message;
  const isShown =
    message["method"] === "session/update" || message["method"] === "session/request_permission";
  return isShown ? { ...message, params: record(parseExactly(line))["params"] } : message;
}

/** The id of a request or response; notifications have none. */
const isId = (id: unknown): boolean =>
  id === undefined || id === null || typeof id === "string" || typeof id === "number";

/** The engine's key for an agent's request: ids 1 and "1" are different. */
export const requestKeyOf = (id: unknown): string => JSON.stringify(id);
