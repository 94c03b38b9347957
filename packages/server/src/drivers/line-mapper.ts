import type { AgentFact, Preset } from "@drover/core";
import type { AgentExit } from "../ports.ts";
import type { Json } from "./json.ts";
import type { Ending } from "./output.ts";

/**
 * The meaning of an agent's lines of JSON. Pure except for what it remembers of earlier lines; never throws. One per
 * process, from its first line on.
 */
export interface LineMapper {
  /** `now`, in ms, only affects when a limit ends. */
  map(message: Json, now: number): readonly AgentFact[];
  /** How the turn ended, once a line has said so. */
  readonly ending: Ending | undefined;
  /** Whether the agent will recognize the conversation it has named. Absent: as soon as it is named. */
  readonly isKept?: boolean;
  /** The lines alone do not end the turn: the exit has to confirm it. */
  readonly awaitsExit?: boolean;
  /** The ending that follows from the exit; undefined if it adds nothing. */
  conclude?(exit: AgentExit, now: number): Ending | undefined;
  /** The process gets another prompt. */
  beginTurn(): void;
  /** Unknown kinds of messages, with their counts. */
  readonly unknown: ReadonlyMap<string, number>;
}

export type MakeMapper = (preset: Preset) => LineMapper;

const maxName = 100;
const maxKinds = 100;

/** Counts by kind; kinds beyond the first hundred are ignored. */
export class Tally extends Map<string, number> {
  count(kind: unknown): void {
    const name = typeof kind === "string" ? kind.slice(0, maxName) : "";
    const known = this.get(name) ?? 0;
    if (known > 0 || this.size < maxKinds) this.set(name, known + 1);
  }
}
