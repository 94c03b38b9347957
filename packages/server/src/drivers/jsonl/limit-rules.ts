import { type AgentFact, type LimitRule, matchesRule, type Preset, valueAt } from "@drover/core";
import type { AgentExit } from "../../ports.ts";
import type { Json } from "../json.ts";
import { limitFault, timeOf } from "../limits.ts";
import type { LineMapper } from "../line-mapper.ts";
import { type Ending, failed } from "../output.ts";
import { messageOf } from "./words.ts";

/** A preset's own rules for usage limits, applied before anything else. */
export class LimitRules implements LineMapper {
  readonly #rules: readonly LimitRule[];
  readonly #name: string;
  readonly #others: LineMapper;
  /** Explains the failure that follows it. */
  #limit: Ending | undefined;

  constructor({ name, limit = [] }: Preset, others: LineMapper) {
    this.#name = name;
    this.#rules = limit;
    this.#others = others;
  }

  get ending(): Ending | undefined {
    return this.#limit ?? this.#others.ending;
  }

  get isKept(): boolean {
    return this.#others.isKept ?? true;
  }

  get awaitsExit(): boolean {
    return this.#limit === undefined && (this.#others.awaitsExit ?? false);
  }

  get unknown(): ReadonlyMap<string, number> {
    return this.#others.unknown;
  }

  map(message: Json, now: number): readonly AgentFact[] {
    const rule = this.#rules.find((one) => matchesRule(message, one));
    if (!rule) return this.#others.map(message, now);
    const until = rule.until && timeOf(valueAt(message, rule.until));
    const words = messageOf(message, `${this.#name} has reached its usage limit`);
    this.#limit ??= failed(limitFault(words, until, now));
    return [];
  }

  conclude(exit: AgentExit, now: number): Ending | undefined {
    return this.#limit ?? this.#others.conclude?.(exit, now);
  }

  beginTurn(): void {
    this.#limit = undefined;
    this.#others.beginTurn();
  }
}
