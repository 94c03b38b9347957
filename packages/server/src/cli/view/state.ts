import type { DoneReason, Session, SessionStateName } from "@drover/core";
import { type Styled, style } from "../terminal/styled.ts";

export type StateFields = Pick<Session, "state" | "lastTurn" | "queued" | "queuePaused">;

const stateNames: Readonly<Record<SessionStateName, string>> = {
  queued: "queued",
  starting: "starting",
  running: "running",
  waiting_for_input: "waiting for you",
  waiting_for_quota: "usage limit",
  stalled: "no output",
  idle: "idle",
  stopping: "stopping",
  stopped: "stopped",
  crashed: "crashed",
};

/** How an unsuccessful turn left its session; every other reason is "failed". */
const endingNames: Readonly<Partial<Record<DoneReason, string>>> = {
  usage_limit: "usage limit",
  cancelled: "interrupted",
  crashed: "crashed",
  waiting_for_input: "waiting for you",
};

/** A newer server may report states that this CLI does not know. */
export const stateName = (state: SessionStateName): string =>
  Object.hasOwn(stateNames, state) ? stateNames[state] : state;

/** The state of a session for people. An idle session is described by how its last turn ended. */
export function stateWords({ state, lastTurn, queued, queuePaused }: StateFields): string {
  if (state !== "idle") return stateName(state);
  const ending = lastTurn && !lastTurn.ok ? (endingNames[lastTurn.reason] ?? "failed") : undefined;
  const isPaused = queuePaused && queued > 0;
  if (isPaused && (ending === undefined || ending === "interrupted")) return "paused";
  return ending ?? stateNames.idle;
}

const paints: ReadonlyMap<string, (text: string) => Styled> = new Map([
  ["starting", style.green],
  ["running", style.green],
  ["waiting for you", style.yellow],
  ["usage limit", style.yellow],
  ["no output", style.yellow],
  ["paused", style.yellow],
  ["crashed", style.red],
  ["failed", style.red],
  ["ready for review", style.yellow],
  ["being merged", style.green],
]);

/** Colors a table cell that contains words of `stateWords`, or of a review after them. */
export function paintState(cell: string): Styled {
  const [first = "", second = first] = cell.trimEnd().split(", ");
  return (paints.get(first) ?? paints.get(second) ?? style.dim)(cell);
}
