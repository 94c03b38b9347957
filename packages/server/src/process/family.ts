import { MARK } from "./environment.ts";
import { type ProcessEntry, readEntries, readEnvironment } from "./process-table.ts";

interface Reach {
  /** Pids that belong to nobody and hand nothing on. */
  readonly apart: ReadonlySet<number>;
  /** A group that stays the session's when its leader is gone, as long as one member is known otherwise. */
  readonly group?: number;
}

/**
 * Which processes belong to a session, found in ways that complete each other: descent, the process groups they lead,
 * and the mark in their environment. Programs that `setsid` leave the group, those whose parent died leave the tree,
 * those with a new environment lose the mark.
 */
export class Families {
  private readonly children: ReadonlyMap<number, ProcessEntry[]>;
  private readonly groups: ReadonlyMap<number, ProcessEntry[]>;

  constructor(entries: readonly ProcessEntry[]) {
    this.children = Map.groupBy(entries, (entry) => entry.parent);
    this.groups = Map.groupBy(entries, (entry) => entry.group);
  }

  inGroup(group: number): readonly ProcessEntry[] {
    return this.groups.get(group) ?? [];
  }

  /** These processes with everything that belongs to them. */
  of(seeds: readonly ProcessEntry[], { apart, group }: Reach): Set<ProcessEntry> {
    const family = new Set(seeds.filter(({ pid }) => !apart.has(pid)));
    // A Set hands out what is added while it is walked.
    for (const one of family) {
      const next = [
        ...(this.children.get(one.pid) ?? []),
        ...this.inGroup(one.pid),
        // A group's number is not given away while one member lives.
        ...(one.group === group ? this.inGroup(group) : []),
      ];
      for (const entry of next) if (!apart.has(entry.pid)) family.add(entry);
    }
    return family;
  }
}

/** A process and its ancestors, from itself on. */
export function lineOf(pid: number, entries: readonly ProcessEntry[]): ProcessEntry[] {
  const byPid = new Map(entries.map((entry) => [entry.pid, entry]));
  const line = new Set<ProcessEntry>();
  for (let one = byPid.get(pid); one && !line.has(one); one = byPid.get(one.parent)) line.add(one);
  return [...line];
}

/** The marks of a process and its ancestors. */
export const marksAbove = (pid: number): string[] =>
  lineOf(pid, readEntries()).flatMap((entry) => markOf(entry) ?? []);

interface Remembered {
  readonly startTime: string;
  readonly image: string;
  readonly mark: string | undefined;
}

const remembered = new Map<number, Remembered>();

/**
 * The mark a process carries, or carried when it was first seen: a program that replaces itself by one without the
 * mark stays its session's. Looking again costs nothing.
 */
export function markOf({ pid, startTime, image }: ProcessEntry): string | undefined {
  const before = remembered.get(pid);
  const isSame = before?.startTime === startTime;
  if (isSame && (before.mark !== undefined || (before.image === image && image !== "0"))) return before.mark;
  const start = `${MARK}=`;
  const mark = readEnvironment(pid)
    .split("\0")
    .find((variable) => variable.startsWith(start))
    ?.slice(start.length);
  remembered.set(pid, { startTime, image, mark });
  return mark;
}

/** Forgets the marks of processes that are no more. */
export function forgetMarksOfOthers(entries: readonly ProcessEntry[]): void {
  const living = new Set(entries.map(({ pid }) => pid));
  for (const pid of remembered.keys()) if (!living.has(pid)) remembered.delete(pid);
}
