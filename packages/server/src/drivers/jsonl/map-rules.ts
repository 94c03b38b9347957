import {
  type AgentFact,
  type ErrorRule,
  extractSessionId,
  Fault,
  type LineRule,
  matchesRule,
  type Preset,
  valueAt,
} from "@drover/core";
import type { AgentExit } from "../../ports.ts";
import { httpFault } from "../http-fault.ts";
import { type Json, number, parseRecord, record, text } from "../json.ts";
import { type LineMapper, Tally } from "../line-mapper.ts";
import { cut, type Ending, failed } from "../output.ts";
import { messageOf } from "./words.ts";

/** What most programs of this sort call the end of a turn; the last is a misspelling that some have. */
const DONE: readonly LineRule[] = [{ type: "turn.completed" }, { type: "result" }, { type: "reuslt" }];
const FAILED: readonly LineRule[] = [
  { type: "turn.failed" },
  ...["result", "reuslt"].flatMap((type): LineRule[] => [
    { type, at: ["is_error"], is: true },
    { type, at: ["status"], is: "error" },
    { type, at: ["subtype"], is: "error" },
  ]),
];
/** Where most programs put the agent's words. */
const TEXT = [["text"], ["delta"], ["content"], ["message", "content"]] as const;

/** Any program whose preset says, by rules, what its lines mean. */
export class RulesMapper implements LineMapper {
  readonly unknown = new Tally();
  ending: Ending | undefined;
  readonly #preset: Preset;
  /** The last thing that it said went wrong; words that follow show that it went on. */
  #trouble: Fault | undefined;

  constructor(preset: Preset) {
    this.#preset = preset;
  }

  map(message: Json): AgentFact[] {
    const { name, done = DONE, failed: failures = FAILED } = this.#preset;
    const matches = (rule: LineRule): boolean => matchesRule(message, rule);
    const trouble = this.#troubleIn(message);
    this.#trouble = trouble ?? this.#trouble;
    if (failures.some(matches)) this.ending ??= failed(this.#trouble ?? faultOf(message, name));
    else if (done.some(matches)) this.ending ??= { reason: "end_turn" };
    else return trouble ? [] : this.#speech(message);
    // Some say at once what they have to say and that it is all.
    return this.#preset.text ? speech(this.#words(message)) : [];
  }

  /** What it said went wrong is why it ended without a word about its turn. */
  conclude({ code, stderrTail }: AgentExit): Ending | undefined {
    if (this.ending || code === null) return undefined;
    const lines = stderrTail
      .split("\n")
      .map(parseRecord)
      .filter((line) => line !== undefined);
    const fault = this.#trouble ?? lines.flatMap((line) => this.#troubleIn(line) ?? []).at(-1);
    return fault && failed(fault);
  }

  beginTurn(): void {
    this.ending = undefined;
    this.#trouble = undefined;
  }

  #troubleIn(message: Json): Fault | undefined {
    const rule = this.#preset.error?.find((one) => matchesRule(message, one));
    return rule && troubleOf(message, rule, this.#preset.name);
  }

  #speech(message: Json): AgentFact[] {
    const words = this.#words(message);
    const tellsId = extractSessionId(this.#preset, message) !== undefined;
    if (words === undefined && !tellsId) this.unknown.count(message["type"]);
    if (words) this.#trouble = undefined;
    return speech(words);
  }

  #words(message: Json): string | undefined {
    const rules = this.#preset.text;
    if (rules) return wordsBy(rules, message);
    // Some repeat the prompt.
    const isPersons = message["role"] === "user" || message["type"] === "user";
    return isPersons ? "" : wordsAt(message);
  }
}

const speech = (words: string | undefined): AgentFact[] => (words ? [{ type: "text", text: words }] : []);

function wordsBy(rules: readonly LineRule[], message: Json): string | undefined {
  const rule = rules.find((one) => matchesRule(message, one));
  if (!rule) return undefined;
  return rule.at && rule.is === undefined
    ? (text(valueAt(message, rule.at)) ?? "")
    : (wordsAt(message) ?? "");
}

const wordsAt = (message: Json): string | undefined =>
  TEXT.map((path) => text(valueAt(message, path))).find((words) => words !== undefined);

/** Some give the status of a refusal only as the first of its words. */
const STATUS_FIRST = /^(?:HTTP )?([45]\d\d)\b/;
/** How programs say that no server answered. */
const UNCONNECTED =
  /\b(?:ECONN\w+|ENOTFOUND|EAI_AGAIN|ETIMEDOUT)\b|fetch failed|connection (?:error|closed)/i;

/** By the status it tells; else by its words, which are the program's own: no model's answer stands there. */
function troubleOf(message: Json, { at, is, status }: ErrorRule, name: string): Fault {
  const told = at && is === undefined ? text(valueAt(message, at)) : undefined;
  const words = cut(told || messageOf(message, `${name} gave no reason`));
  const known = typeof status === "number" ? status : status && number(valueAt(message, status));
  const refused = known ?? number(Number(STATUS_FIRST.exec(words)?.[1]));
  if (refused === undefined && !UNCONNECTED.test(words)) return new Fault("MODEL_ERROR", words);
  return httpFault({ name, message: words, status: refused });
}

/** By the HTTP status, where the line has one in a field of its own; never by its words. */
function faultOf(message: Json, name: string): Fault {
  const fields = [message, record(message["error"])].flatMap((one) => [
    one["status"],
    one["statusCode"],
    one["code"],
    one["api_error_status"],
  ]);
  const status = fields.map(number).find((one) => one !== undefined && one >= 400 && one < 600);
  const words = messageOf(message, `${name} gave no reason`);
  return status === undefined ? new Fault("MODEL_ERROR", words) : httpFault({ name, message: words, status });
}
