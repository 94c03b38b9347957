import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { findProgram } from "../../test/kit/programs.ts";
import { blankUnit } from "./unit.ts";

export interface TrickleOrder {
  /** The number of updates, of one unit each. */
  readonly count: number;
  /** Updates per second. */
  readonly rate: number;
  /** When the first one is due, in microseconds of `now()`. */
  readonly start: number;
}

/** The command line of `agents/trickle.pl`; undefined without a Perl with a monotonic clock. */
export function trickleProgram(): { command: string; args: string[] } | undefined {
  const command = findProgram("perl");
  if (command === undefined || spawnSync(command, ["-MTime::HiRes", "-e", "1"]).status !== 0)
    return undefined;
  return { command, args: [join(import.meta.dirname, "..", "agents", "trickle.pl"), blankUnit] };
}

/** Staggers the start of agents, so that their updates are spread evenly. */
export const spreadOver = (order: TrickleOrder, n: number, of: number): TrickleOrder => ({
  ...order,
  start: Math.round(order.start + (n / of) * (1e6 / order.rate)),
});
