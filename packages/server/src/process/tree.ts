import { setTimeout as delay } from "node:timers/promises";
import { Families, lineOf } from "./family.ts";
import { isAlive, type ProcessIdentity } from "./identity.ts";
import { type Marks, marks } from "./marks.ts";
import { bootId, type ProcessEntry, readEntries } from "./process-table.ts";

type Signal = "SIGTERM" | "SIGCONT" | "SIGKILL" | "SIGSTOP";

/** How often to check for processes that are gone; a stop seldom takes more than one or two checks. */
const LOOK_MS = 25;
/** How long signalled processes may take to vanish before everything is searched again for what they forked. */
const SEARCH_MS = 100;
/** How long KILLed processes, and what they forked, may take in total. */
const BOUND_MS = 1000;
/**
 * Searches until a freeze has caught everything; only something that forks faster than it can be stopped needs more.
 */
const FREEZES = 10;
/**
 * Consecutive scans that must find nothing: one can miss a process that forks its successor and ends during the scan.
 */
const EMPTY_LOOKS = 3;
/** Scans in total. On a busy machine some processes end before their marks are read, and such a scan does not count. */
const MAX_LOOKS = 20;

/**
 * Every living process of a session (see `Families`). Never contains this process or pid 1, nor an ancestor of this
 * process, unless that one is the agent or descends from it. A pid or group number alone proves nothing: it may have
 * been reused.
 */
export async function findTree(
  root: ProcessIdentity,
  mark?: string,
  memory: Marks = marks,
): Promise<ProcessIdentity[]> {
  return (await search({ root, mark, known: new Set(), marks: memory })).found;
}

/**
 * Ends everything `findTree` finds: TERM, then after `grace` ms KILL, and repeats until nothing is found. Before each
 * signal everything is stopped, so that nothing can fork, lose its parent and be overlooked between a search and the
 * signal. Takes at most `grace` + 1 s, unless this process itself is held up; survivors (a process stuck in the kernel,
 * another user's) are returned.
 */
export async function killTree(target: {
  readonly identity: ProcessIdentity;
  readonly mark?: string | undefined;
  readonly grace: number;
}): Promise<{ survivors: ProcessIdentity[] }> {
  const root = target.identity;
  const known = new Set<string>();
  const find = async (by: { mark?: string | undefined; maxAgeMs?: number }): Promise<Tree> => {
    const tree = await search({ root, mark: undefined, known, marks, ...by });
    for (const identity of tree.found) known.add(key(identity));
    return tree;
  };
  const look = async (): Promise<Tree> => {
    for (let looks = 1, empty = 0; ; looks++) {
      const tree = await find({ mark: target.mark });
      if (tree.isCertain) empty++;
      if (tree.found.length > 0 || empty === EMPTY_LOOKS || looks === MAX_LOOKS) return tree;
    }
  };
  const freeze = async (): Promise<Tree> => {
    // Reading marks takes time on a busy machine: processes found by descent are stopped first.
    signalTree(await find({}), "SIGSTOP");
    for (let seen = known.size, round = 0; ; round++) {
      const tree = await look();
      if (tree.found.length === 0 || known.size === seen || round === FREEZES) return tree;
      seen = known.size;
      signalTree(tree, "SIGSTOP");
    }
  };
  const polite = performance.now() + target.grace;

  let tree = await (target.grace > 0 ? freeze() : look());
  while (tree.found.length > 0 && performance.now() < polite) {
    // A stopped process acts on TERM only when it is continued.
    signalTree(tree, "SIGTERM");
    signalTree(tree, "SIGCONT");
    const areGone = await allGone(tree.found, Math.min(polite, performance.now() + SEARCH_MS));
    // Slow ones share scans by descent; confirming that nothing is left takes a full scan.
    if (!areGone) tree = await find({ maxAgeMs: LOOK_MS });
    if (areGone || tree.found.length === 0) tree = await look();
  }
  // Counted from here: even on a machine so busy that this comes late, everything gets killed.
  const bound = performance.now() + BOUND_MS;
  while (tree.found.length > 0 && performance.now() < bound) {
    tree = await freeze();
    signalTree(tree, "SIGKILL");
    await allGone(tree.found, Math.min(bound, performance.now() + SEARCH_MS));
    tree = await look();
  }
  return { survivors: tree.found };
}

/** Pauses the agent's process group while its output comes faster than it can be stored. */
export function pauseTree(identity: ProcessIdentity): void {
  if (isAlive(identity)) send(-identity.pid, "SIGSTOP");
}

export function resumeTree(identity: ProcessIdentity): void {
  if (isAlive(identity)) send(-identity.pid, "SIGCONT");
}

interface Tree {
  readonly found: ProcessIdentity[];
  /** False if a process ended before its session was known; it may have left another one. */
  readonly isCertain: boolean;
  /** The group that may be signalled as a whole, which catches anything being forked at this moment. */
  readonly group: { readonly id: number; readonly leader: ProcessIdentity } | undefined;
  readonly groupOf: ReadonlyMap<ProcessIdentity, number>;
}

interface Search {
  readonly root: ProcessIdentity;
  readonly mark: string | undefined;
  /** Keys of processes that earlier searches have proven to be ours. */
  readonly known: ReadonlySet<string>;
  readonly marks: Marks;
  readonly maxAgeMs?: number;
}

async function search({ root, mark, known, marks, maxAgeMs }: Search): Promise<Tree> {
  // After a reboot nothing of the old boot lives, whatever the pid says.
  if (root.bootId !== bootId()) return { found: [], isCertain: true, group: undefined, groupOf: new Map() };
  const entries = await readEntries(maxAgeMs);
  marks.prune(entries);
  const families = new Families(entries);
  const apart = exempt(entries, root);
  const reach = { apart, group: root.pid };
  const proven = entries.filter((entry) => isEntryOf(root, entry) || known.has(key(entry)));
  let ours = families.of(proven, reach);
  let isCertain = true;
  if (mark !== undefined) {
    // Descent is sufficient: only the marks of other processes are read.
    const others = entries.filter((entry) => !ours.has(entry) && !apart.has(entry.pid));
    isCertain = await marks.learn(others);
    ours = families.of([...ours, ...others.filter((entry) => marks.of(entry) === mark)], reach);
  }

  const groupOf = new Map<ProcessIdentity, number>();
  for (const { pid, startTime, group, gone } of ours) {
    if (!gone) groupOf.set({ pid, startTime, bootId: root.bootId }, group);
  }
  const found = [...groupOf.keys()];
  const leader = found.find((identity) => identity.pid === root.pid);
  const mixed = families.inGroup(root.pid).some((entry) => apart.has(entry.pid));
  const group = leader && !mixed ? { id: root.pid, leader } : undefined;
  return { found, isCertain, group, groupOf };
}

const isEntryOf = (root: ProcessIdentity, entry: ProcessEntry): boolean =>
  entry.pid === root.pid && entry.startTime === root.startTime;

/**
 * This process, its ancestors and init. If an agent has started this server below itself, the agent and everything
 * between the two are its own descendants and are ended like all others.
 */
function exempt(entries: readonly ProcessEntry[], root: ProcessIdentity): Set<number> {
  const line = lineOf(process.pid, entries);
  const agent = line.findIndex((entry) => isEntryOf(root, entry));
  return new Set([0, 1, process.pid, ...line.slice(agent + 1).map(({ pid }) => pid)]);
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
    // It ended first or belongs to another user: the next scan will show.
  }
}

async function allGone(identities: ProcessIdentity[], until: number): Promise<boolean> {
  while (identities.some(isAlive)) {
    if (performance.now() >= until) return false;
    await delay(LOOK_MS);
  }
  return true;
}

function key({ pid, startTime }: { pid: number; startTime: string }): string {
  return `${pid} ${startTime}`;
}
