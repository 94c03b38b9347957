import { bootId, readEntry } from "./process-table.ts";

/**
 * What identifies a process: a pid is reused, but a pid with its start time within one boot is not. It is stored with
 * the session, and only a process that matches it is ever signalled.
 */
export interface ProcessIdentity {
  readonly pid: number;
  readonly startTime: string;
  readonly bootId: string;
}

/** The identity of a living process; a zombie has none. */
export function identify(pid: number): ProcessIdentity | undefined {
  const entry = readEntry(pid);
  if (entry === undefined || entry.gone) return undefined;
  return { pid, startTime: entry.startTime, bootId: bootId() };
}

/**
 * The identity of a child that was just spawned and may have ended since. Only for use before the event loop turns:
 * until then Node cannot have reaped it, so its pid has not been reused.
 */
export function identifyChild(pid: number): ProcessIdentity {
  return { pid, startTime: readEntry(pid)?.startTime ?? "", bootId: bootId() };
}

export function isAlive(identity: ProcessIdentity): boolean {
  if (identity.bootId !== bootId()) return false;
  const entry = readEntry(identity.pid);
  return entry !== undefined && !entry.gone && entry.startTime === identity.startTime;
}
