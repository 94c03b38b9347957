import type { AgentFact, Preset } from "@drover/core";
import type { AgentExit } from "../ports.ts";
import type { Json } from "./json.ts";
import type { Ending } from "./output.ts";

/**
 * What an agent's lines of JSON mean. Pure but for what it remembers of earlier lines; never throws. One per process,
 * from its first line on.
 */
export interface LineMapper {
  /** `now`, in ms, only goes into when a limit ends. */
  map(message: Json, now: number): readonly AgentFact[];
  /** How the turn ended, once a line has said so. */
  readonly ending: Ending | undefined;
  /** Whether the agent will know the conversation again that it has named. Absent: from its name on. */
  readonly isKept?: boolean;
  /** What was said is only half of it: the exit is the other. */
  readonly awaitsExit?: boolean;
  /** What the exit adds; undefined when it adds nothing. */
  conclude?(exit: AgentExit, now: number): Ending | undefined;
  /** The process gets another prompt. */
  beginTurn(): void;
  /** Kinds of messages it has never heard of, and how many of each came. */
  readonly unknown: ReadonlyMap<string, number>;
}

export type MakeMapper = (preset: Preset) => LineMapper;

const maxName = 100;
const maxKinds = 100;

/** Counts by kind; kinds beyond the first hundred are left out. */
export class Tally extends Map<string, number> {
  count(kind: unknown): void {
    const name = typeof kind === "string" ? kind.slice(0, maxName) : "";
    const known = this.get(name) ?? 0;
    if (known > 0 || this.size < maxKinds) this.set(name, known + 1);
  }
}
