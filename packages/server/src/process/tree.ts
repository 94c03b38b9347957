import { setTimeout as delay } from "node:timers/promises";
import { MARK, SERVER_MARK } from "./environment.ts";
import { isAlive, type ProcessIdentity } from "./identity.ts";
import { bootId, type ProcessEntry, readEntries, readEnvironment } from "./process-table.ts";

type Signal = "SIGTERM" | "SIGCONT" | "SIGKILL" | "SIGSTOP";

/** Gone processes are noticed by looking; a stop seldom takes longer than one or two looks. */
const LOOK_MS = 25;
/** How long KILLed processes may take to vanish before everything is searched again for what they forked. */
const AFTER_KILL_MS = 100;
/** How long KILLed processes, and what they forked, may take in all. */
const BOUND_MS = 1000;

/**
 * Every living process of a session, found by three ways that complete each other: the process group of its agent,
 * descent from it, and the session's mark in the environment (programs that `setsid` leave the group, those whose
 * parent died leave the tree, those with a new environment lose the mark).
 *
 * Never contains this process, its ancestors, pid 1, or a Drover server with its descendants. Nothing is taken for
 * ours on the number of a pid or a group alone: a number may have been given to someone else.
 */
export function findTree(root: ProcessIdentity, mark?: string): ProcessIdentity[] {
  return search({ root, mark, known: new Set() }).found;
}

/**
 * Ends everything `findTree` finds: TERM, then after `grace` ms KILL, and looks again until nothing is found. Takes at
 * most `grace` + 1 s, unless this process itself is held up; what still lives then (a process stuck in the kernel,
 * another user's) is returned.
 */
export async function killTree(target: {
  readonly identity: ProcessIdentity;
  readonly mark?: string | undefined;
  readonly grace: number;
}): Promise<{ survivors: ProcessIdentity[] }> {
  const root = target.identity;
  const known = new Set<string>();
  const look = (): Tree => {
    const tree = search({ root, mark: target.mark, known });
    for (const identity of tree.found) known.add(key(identity));
    return tree;
  };
  const polite = performance.now() + target.grace;

  let tree = look();
  while (tree.found.length > 0 && performance.now() < polite) {
    // A stopped process acts on TERM only when it is continued.
    signalTree(tree, "SIGTERM");
    signalTree(tree, "SIGCONT");
    await allGone(tree.found, polite);
    tree = look();
  }
  // Counted from here: on a machine so busy that this comes late, everything is killed all the same.
  const bound = performance.now() + BOUND_MS;
  while (tree.found.length > 0 && performance.now() < bound) {
    signalTree(tree, "SIGKILL");
    await allGone(tree.found, Math.min(bound, performance.now() + AFTER_KILL_MS));
    tree = look();
  }
  return { survivors: tree.found };
}

/** Stops the agent's process group where it stands, for as long as its output comes faster than it can be stored. */
export function pauseTree(identity: ProcessIdentity): void {
  if (isAlive(identity)) send(-identity.pid, "SIGSTOP");
}

export function resumeTree(identity: ProcessIdentity): void {
  if (isAlive(identity)) send(-identity.pid, "SIGCONT");
}

interface Tree {
  readonly found: ProcessIdentity[];
  /** The group that may be signalled as one, which catches what is being forked at this moment. */
  readonly group: { readonly id: number; readonly leader: ProcessIdentity } | undefined;
  readonly groupOf: ReadonlyMap<ProcessIdentity, number>;
}

interface Search {
  readonly root: ProcessIdentity;
  readonly mark: string | undefined;
  /** Keys of what earlier searches have proven to be ours. */
  readonly known: ReadonlySet<string>;
}

function search({ root, mark, known }: Search): Tree {
  // After a reboot nothing of the old boot lives, whatever its number says.
  if (root.bootId !== bootId()) return { found: [], group: undefined, groupOf: new Map() };
  const entries = readEntries();
  const children = Map.groupBy(entries, (entry) => entry.parent);
  const groups = Map.groupBy(entries, (entry) => entry.group);
  const environments = new Map(entries.map((entry) => [entry.pid, `\0${readEnvironment(entry.pid)}`]));
  const carries = (entry: ProcessEntry, variable: string): boolean =>
    environments.get(entry.pid)?.includes(`\0${variable}\0`) ?? false;

  const untouchable = ownLine(entries);
  // Other servers: this one carries the variable too, and its descendants are just what is looked for.
  const servers = entries.filter(
    (entry) => carries(entry, `${SERVER_MARK}=1`) && !untouchable.has(entry.pid),
  );
  for (const entry of closure(servers, (one) => children.get(one.pid))) untouchable.add(entry.pid);

  const isRoot = (entry: ProcessEntry): boolean =>
    entry.pid === root.pid && entry.startTime === root.startTime;
  const seeds = entries.filter(
    (entry) =>
      isRoot(entry) || known.has(key(entry)) || (mark !== undefined && carries(entry, `${MARK}=${mark}`)),
  );
  const ours = closure(
    seeds.filter((entry) => !untouchable.has(entry.pid)),
    (one) =>
      [
        ...(children.get(one.pid) ?? []),
        // Of a group it leads; and of the agent's own group when it is a member, even if the leader is gone: a group's
        // number is not given away while one member lives.
        ...(groups.get(one.pid) ?? []),
        ...(one.group === root.pid ? (groups.get(root.pid) ?? []) : []),
      ].filter((entry) => !untouchable.has(entry.pid)),
  );

  const groupOf = new Map<ProcessIdentity, number>();
  for (const { pid, startTime, group, gone } of ours) {
    if (!gone) groupOf.set({ pid, startTime, bootId: root.bootId }, group);
  }
  const found = [...groupOf.keys()];
  const leader = found.find((identity) => identity.pid === root.pid);
  const mixed = groups.get(root.pid)?.some((entry) => untouchable.has(entry.pid)) ?? false;
  return { found, group: leader && !mixed ? { id: root.pid, leader } : undefined, groupOf };
}

/** This process, its ancestors and init. */
function ownLine(entries: ProcessEntry[]): Set<number> {
  const parents = new Map(entries.map((entry) => [entry.pid, entry.parent]));
  const line = new Set([0, 1]);
  for (
    let pid: number | undefined = process.pid;
    pid !== undefined && !line.has(pid);
    pid = parents.get(pid)
  ) {
    line.add(pid);
  }
  return line;
}

function closure(
  seeds: ProcessEntry[],
  next: (entry: ProcessEntry) => ProcessEntry[] | undefined,
): Set<ProcessEntry> {
  const reached = new Set(seeds);
  // A Set hands out what is added while it is walked.
  for (const entry of reached) for (const one of next(entry) ?? []) reached.add(one);
  return reached;
}

function signalTree(tree: Tree, signal: Signal): void {
  const { group } = tree;
  const together = group !== undefined && isAlive(group.leader);
  if (together) send(-group.id, signal);
  for (const identity of tree.found) {
    if (together && tree.groupOf.get(identity) === group.id) continue;
    if (isAlive(identity)) send(identity.pid, signal);
  }
}

function send(pid: number, signal: Signal): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended first, or belongs to another user: the next look tells.
  }
}

async function allGone(identities: ProcessIdentity[], until: number): Promise<void> {
  while (identities.some(isAlive) && performance.now() < until) await delay(LOOK_MS);
}

function key({ pid, startTime }: { pid: number; startTime: string }): string {
  return `${pid} ${startTime}`;
}
