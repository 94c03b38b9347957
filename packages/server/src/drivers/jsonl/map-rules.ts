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
import { WorkRules } from "./work-rules.ts";

/** What most of these programs call the end of a turn; the last is a misspelling that some have. */
const DONE: readonly LineRule[] = [{ type: "turn.completed" }, { type: "result" }, { type: "reuslt" }];
const FAILED: readonly LineRule[] = [
  { type: "turn.failed" },
  ...["result", "reuslt"].flatMap((type): LineRule[] => [
    { type, at: ["is_error"], is: true },
    { type, at: ["status"], is: "error" },
    { type, at: ["subtype"], is: "error" },
  ]),
];
/** Where most programs put the agent's text. */
const TEXT = [["text"], ["delta"], ["content"], ["message", "content"]] as const;

/** Any program whose preset describes its lines by rules. */
export class RulesMapper implements LineMapper {
  readonly unknown = new Tally();
  readonly #preset: Preset;
  readonly #work: WorkRules;
  /** How the program said the turn ends. */
  #said: Ending | undefined;
  /** The last error it reported; text after it shows that it continued. */
  #trouble: Fault | undefined;

  constructor(preset: Preset) {
    this.#preset = preset;
    this.#work = new WorkRules(preset);
  }

  get ending(): Ending | undefined {
    return this.#endsByExit ? undefined : this.#withUsage(this.#said);
  }

  map(message: Json): AgentFact[] {
    const work = this.#work.map(message);
    const news = this.#news(message);
    if (news === "trouble") return work ?? [];
    // Without rules for text, a line is text only if no other rule matches it.
    const words = this.#preset.text || !(news || work) ? this.#words(message) : "";
    if (!news) this.#goOn(message, words);
    return [...(work ?? []), ...(words ? [{ type: "text" as const, text: words }] : [])];
  }

  /** Whether the line says that the turn ends, or that something went wrong. */
  #news(message: Json): "end" | "trouble" | undefined {
    const { name, done = DONE, failed: failures = FAILED } = this.#preset;
    const matches = (rule: LineRule): boolean => matchesRule(message, rule);
    const trouble = this.#troubleIn(message);
    this.#trouble = trouble ?? this.#trouble;
    if (failures.some(matches)) this.#said ??= failed(this.#trouble ?? faultOf(message, name));
    else if (done !== "exit" && done.some(matches)) this.#said ??= { reason: "end_turn" };
    else return trouble && "trouble";
    return "end";
  }

  #goOn(message: Json, words: string | undefined): void {
    const tellsId = extractSessionId(this.#preset, message) !== undefined;
    if (words === undefined && !tellsId) this.unknown.count(message["type"]);
    if (words) this.#trouble = undefined;
  }

  /** If the program ends without ending its turn, its last error is the reason. */
  conclude(exit: AgentExit): Ending | undefined {
    const fault = this.#faultBy(exit);
    if (fault) return this.#withUsage(failed(fault));
    if (!this.#endsByExit) return undefined;
    return this.#withUsage(this.#said ?? (exit.code === 0 ? { reason: "end_turn" } : undefined));
  }

  get #endsByExit(): boolean {
    return this.#preset.done === "exit";
  }

  #withUsage(ending: Ending | undefined): Ending | undefined {
    const { usage } = this.#work;
    return ending && usage ? { ...ending, usage } : ending;
  }

  #faultBy({ code, stderrTail }: AgentExit): Fault | undefined {
    if (this.#said || code === null || (this.#endsByExit && code === 0)) return undefined;
    const lines = stderrTail
      .split("\n")
      .map(parseRecord)
      .filter((line) => line !== undefined);
    return this.#trouble ?? lines.flatMap((line) => this.#troubleIn(line) ?? []).at(-1);
  }

  beginTurn(): void {
    this.#said = undefined;
    this.#trouble = undefined;
    this.#work.beginTurn();
  }

  #troubleIn(message: Json): Fault | undefined {
    const rule = this.#preset.error?.find((one) => matchesRule(message, one));
    return rule && troubleOf(message, rule, this.#preset.name);
  }

  #words(message: Json): string | undefined {
    const rules = this.#preset.text;
    if (rules) return wordsBy(rules, message);
    // Some repeat the prompt.
    const isPersons = message["role"] === "user" || message["type"] === "user";
    return isPersons ? "" : wordsAt(message);
  }
}

function wordsBy(rules: readonly LineRule[], message: Json): string | undefined {
  const rule = rules.find((one) => matchesRule(message, one));
  if (!rule) return undefined;
  return rule.at && rule.is === undefined
    ? (text(valueAt(message, rule.at)) ?? "")
    : (wordsAt(message) ?? "");
}

const wordsAt = (message: Json): string | undefined =>
  TEXT.map((path) => text(valueAt(message, path))).find((words) => words !== undefined);

/** Some report the status of a refusal only as the first word of the message. */
const STATUS_FIRST = /^(?:HTTP )?([45]\d\d)\b/;
/** How programs say that no server responded. */
const UNCONNECTED =
  /\b(?:ECONN\w+|ENOTFOUND|EAI_AGAIN|ETIMEDOUT)\b|fetch failed|connection (?:error|closed)/i;

/** Classified by the reported status, else by the message, which is the program's own: no model output is in it. */
function troubleOf(message: Json, { at, is, status }: ErrorRule, name: string): Fault {
  const reported = at && is === undefined ? text(valueAt(message, at)) : undefined;
  const words = cut(reported || messageOf(message, `${name} gave no reason`));
  const known = typeof status === "number" ? status : status && number(valueAt(message, status));
  const refused = known ?? number(Number(STATUS_FIRST.exec(words)?.[1]));
  if (refused === undefined && !UNCONNECTED.test(words)) return new Fault("MODEL_ERROR", words);
  return httpFault({ name, message: words, status: refused });
}

/** Classified by the HTTP status if the line has a field for it; never by the message. */
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
