import type { AgentFact } from "@drover/core";
import type { Line } from "../../process/lines.ts";
import { BadLines, skippedLine } from "../bad-lines.ts";
import { type Json, parseRecord, record, records, text } from "../json.ts";
import type { AgentRequestMessage } from "../open-requests.ts";
import { mapSdkMessage } from "./map.ts";
import type { MapState } from "./map-state.ts";
import { mapRequest } from "./requests.ts";

/** The result of reading a batch of lines. */
export interface Reading {
  readonly facts: AgentFact[];
  readonly requests: AgentRequestMessage[];
  /** Lines of the control protocol, for the SDK. It does not need the others. */
  readonly control: string[];
  /** The agent's pending requests, if it was asked for them: those it listed then, and those it made since. */
  waiting: readonly string[] | undefined;
}

export interface ReaderOptions {
  readonly state: MapState;
  readonly now: () => number;
}

/** The agent's output → facts and messages. Throws a Fault only for a message that is nested too deep. */
export class Reader {
  readonly #state: MapState;
  readonly #now: () => number;
  readonly #asked = new Set<string>();
  readonly #badLines: BadLines;

  constructor({ state, now }: ReaderOptions) {
    this.#state = state;
    this.#badLines = new BadLines(state.name);
    this.#now = now;
  }

  read(lines: readonly Line[]): Reading {
    const reading: Reading = { facts: [], requests: [], control: [], waiting: undefined };
    for (const line of lines) {
      if (line.kind === "skipped") reading.facts.push(skippedLine(line.length));
      else if (line.text.trim() !== "" && !this.#line(line.text, reading) && line.kind === "line") {
        this.#complain(line.text, reading);
      }
    }
    return reading;
  }

  /** False if the line is not a message. */
  #line(line: string, reading: Reading): boolean {
    const message = parseRecord(line);
    if (message === undefined) return false;
    const { type } = message;
    if (typeof type !== "string") return false;
    if (type.startsWith("control_")) {
      reading.control.push(line);
      this.#control(message, reading);
      return true;
    }
    for (const fact of mapSdkMessage(message, this.#state, this.#now())) add(reading.facts, fact);
    return true;
  }

  #control(message: Json, reading: Reading): void {
    const requestKey = text(message["request_id"]);
    if (message["type"] === "control_request" && requestKey !== undefined) {
      if (record(message["request"])["subtype"] !== "can_use_tool" || this.#asked.has(requestKey)) return;
      this.#asked.add(requestKey);
      const request = { requestKey, message };
      reading.requests.push(request);
      // An earlier server may have asked, before this request existed.
      if (reading.waiting) reading.waiting = [...reading.waiting, requestKey];
      for (const fact of mapRequest(request, this.#state)) add(reading.facts, fact);
    }
    const { pending_permission_requests: waiting } = record(message["response"]);
    if (message["type"] === "control_response" && Array.isArray(waiting)) {
      reading.waiting = records(waiting).flatMap((one) => text(one["request_id"]) ?? []);
    }
  }

  #complain(line: string, { facts }: Reading): void {
    const fact = this.#badLines.report(line);
    if (fact) facts.push(fact);
  }
}

/** No joined fact is longer, so that what is stored and sent at once stays small. */
const MAX_JOINED = 65_536;

/** Joins consecutive pieces of one speech or one input into one fact, so that later work is per run of pieces. */
function add(facts: AgentFact[], fact: AgentFact): void {
  const last = facts.at(-1);
  if (fact.type === "text" || fact.type === "thinking") {
    const isSame = last?.type === fact.type && last.parent === fact.parent;
    if (!isSame || last.text.length + fact.text.length > MAX_JOINED) facts.push(fact);
    else last.text += fact.text;
  } else if (fact.type === "tool_input") {
    const isSame = last?.type === "tool_input" && last.toolCallId === fact.toolCallId;
    if (!isSame || last.inputText.length + fact.inputText.length > MAX_JOINED) facts.push(fact);
    else last.inputText += fact.inputText;
  } else facts.push(fact);
}
