import type { ProcessEntry } from "./process-table.ts";

interface Reach {
  /** Pids that belong to no session and pass nothing on. */
  readonly apart: ReadonlySet<number>;
  /** A group that stays the session's after its leader is gone, as long as one member is otherwise known. */
  readonly group?: number;
}

/**
 * Which processes belong to a session, found in three complementary ways: descent, the process groups they lead, and
 * the mark in their environment. Programs that `setsid` leave the group, those whose parent died leave the tree, those
 * with a new environment lose the mark.
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
    // Iterating a Set includes elements added meanwhile.
    for (const one of family) {
      const next = [
        ...(this.children.get(one.pid) ?? []),
        ...this.inGroup(one.pid),
        // A group's number is not reused while a member lives.
        ...(one.group === group ? this.inGroup(group) : []),
      ];
      for (const entry of next) if (!apart.has(entry.pid)) family.add(entry);
    }
    return family;
  }
}

/** A process and its ancestors, starting with itself. */
export function lineOf(pid: number, entries: readonly ProcessEntry[]): ProcessEntry[] {
  const byPid = new Map(entries.map((entry) => [entry.pid, entry]));
  const line = new Set<ProcessEntry>();
  for (let one = byPid.get(pid); one && !line.has(one); one = byPid.get(one.parent)) line.add(one);
  return [...line];
}
