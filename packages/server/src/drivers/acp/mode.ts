import type { AgentMode, PermissionMode } from "@drover/core";
import type { FactBatch } from "../fact-batch.ts";
import { type Json, record, records, text } from "../json.ts";

interface OfferedMode {
  readonly id: string;
  readonly name: string;
}

/** An agent's own modes, and how one is selected: by a method, or by a session option. */
export interface ModeChoice {
  readonly by: { readonly option: string } | "session/set_mode";
  readonly current: string;
  readonly offered: readonly OfferedMode[];
}

/** The agent's mode that only plans and the one that asks before acting; part of its preset. */
export interface KnownModes {
  readonly plan?: string | undefined;
  readonly ask?: string | undefined;
}

/** Reads the responses that open a conversation (`session/new`, `load`, `resume`) or set an option. */
export function modesOf(answer: unknown): ModeChoice | undefined {
  const response = record(answer);
  const modes = record(response["modes"]);
  const current = text(modes["currentModeId"]);
  if (current) {
    return { by: "session/set_mode", current, offered: offersOf(modes["availableModes"], "id") };
  }
  const option = records(response["configOptions"]).find((one) => one["category"] === "mode");
  const [id, value] = [text(option?.["id"]), text(option?.["currentValue"])];
  if (!option || !id || !value) return undefined;
  return { by: { option: id }, current: value, offered: offersOf(option["options"], "value") };
}

/** A mode change made by the agent itself. */
export function changedMode(update: Json): string | undefined {
  return (text(update["currentModeId"]) ?? modesOf(update)?.current)?.slice(0, MAX_NAME);
}

/** Mode names are stored with the process and shown to people. */
const MAX_MODES = 100;
const MAX_NAME = 200;

function offersOf(modes: unknown, key: string): OfferedMode[] {
  return records(modes)
    .slice(0, MAX_MODES)
    .flatMap((mode) => {
      const id = text(mode[key]);
      if (!id || id.length > MAX_NAME) return [];
      return [{ id, name: (text(mode["name"]) || id).slice(0, MAX_NAME) }];
    });
}

/** The agent's own modes and its current mode. */
export class OwnModes {
  readonly #known: KnownModes;
  #choice: ModeChoice | undefined;
  #reported: string | undefined;

  /** `choice`: the modes as an earlier server last reported them. */
  constructor(known: KnownModes = {}, choice?: ModeChoice) {
    this.#known = known;
    this.#choice = choice;
    this.#reported = choice?.current;
  }

  get choice(): ModeChoice | undefined {
    return this.#choice;
  }

  offer(choice: ModeChoice | undefined): void {
    this.#choice = choice;
  }

  change(current: string | undefined, facts: FactBatch): void {
    if (!this.#choice || current === undefined) return;
    this.#choice = { ...this.#choice, current };
    this.report(facts);
  }

  report(facts: FactBatch): void {
    if (!this.#choice || this.#reported === this.#choice.current) return;
    this.#reported = this.#choice.current;
    facts.push({ type: "agent_mode", mode: describeMode(this.#choice, this.#known) });
  }

  /** The request that switches the agent to the right mode; undefined if it is already there or has no modes. */
  wanted(mode: PermissionMode) {
    const choice = this.#choice;
    const id = choice && wantedMode(choice, mode, this.#known);
    if (!choice || id === undefined || id === choice.current) return undefined;
    return choice.by === "session/set_mode"
      ? { id, method: choice.by, params: { modeId: id } }
      : { id, method: "session/set_config_option", params: { configId: choice.by.option, value: id } };
  }
}

/**
 * The agent's own mode that does what the permission mode promises: plan, or ask. Drover then decides the requests,
 * never a mode in which the agent approves its own calls. Undefined if no such mode is known.
 */
export function wantedMode(
  { current, offered }: ModeChoice,
  mode: PermissionMode,
  known: KnownModes = {},
): string | undefined {
  const byId = (id: string | undefined) => offered.find((one) => one.id === id);
  const named = (...words: readonly string[]) =>
    words.flatMap((word) => offered.find((one) => wordsOf(one).includes(word)) ?? [])[0];
  const plan = byId(known.plan) ?? named("plan", "planning", "architect");
  if (mode === "plan" && plan) return plan.id;
  const ask = byId(known.ask);
  if (ask) return ask.id;
  const isHeld = current !== plan?.id && !isLoose(byId(current));
  const asking = isHeld ? byId(current) : named(...askingWords);
  return asking && !isLoose(asking) ? asking.id : undefined;
}

/** Names agents use for modes in which they ask, most likely first. */
const askingWords = ["default", "normal", "manual", "approve", "agent", "code", "build", "readonly"];

/** The agent's current mode, for people. */
export function describeMode({ current, offered }: ModeChoice, known: KnownModes = {}): AgentMode {
  const mode = offered.find(({ id }) => id === current);
  const mayActUnasked =
    current !== known.ask && current !== known.plan && isLoose(mode ?? { id: current, name: "" });
  return { id: current, name: mode?.name ?? current, mayActUnasked };
}

/** Ids may be URLs that end in the name (copilot 1.0). */
const wordsOf = ({ id, name }: OfferedMode): string[] =>
  [id.split(/[#/]/).at(-1) ?? "", name].map((word) => word.toLowerCase().replace(/[^a-z]/g, ""));

/** Names agents use for modes in which they act without asking. */
const looseWords =
  /auto|yolo|bypass|accept|full|never|dontask|noask|allow|trust|unrestricted|danger|skip|always/;

/** The same words with the opposite meaning, such as droid's "Auto (Off)". */
const strictWords = /always(ask|confirm|approve)|auto.*off$/;

const isLoose = (mode: OfferedMode | undefined): boolean =>
  mode !== undefined && wordsOf(mode).some((word) => looseWords.test(word) && !strictWords.test(word));
