import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { findProgram } from "../../test/kit/programs.ts";
import { blankUnit } from "./unit.ts";

export interface TrickleOrder {
  /** How many updates of one unit each. */
  readonly count: number;
  /** Updates a second. */
  readonly rate: number;
  /** When the first one is due, in microseconds of `now()`. */
  readonly start: number;
}

/** The command line of `agents/trickle.pl`; undefined where there is no Perl with a clock fine enough. */
export function trickleProgram(): { command: string; args: string[] } | undefined {
  const command = findProgram("perl");
  if (command === undefined || spawnSync(command, ["-MTime::HiRes", "-e", "1"]).status !== 0)
    return undefined;
  return { command, args: [join(import.meta.dirname, "..", "agents", "trickle.pl"), blankUnit] };
}

/** The moments at which agents begin that are to speak evenly spread, and not in one breath. */
export const spreadOver = (order: TrickleOrder, n: number, of: number): TrickleOrder => ({
  ...order,
  start: Math.round(order.start + (n / of) * (1e6 / order.rate)),
});
