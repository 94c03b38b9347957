import { setTimeout as delay } from "node:timers/promises";
import { Families, lineOf } from "./family.ts";
import { isAlive, type ProcessIdentity } from "./identity.ts";
import { type Marks, marks } from "./marks.ts";
import { bootId, type ProcessEntry, readEntries } from "./process-table.ts";

type Signal = "SIGTERM" | "SIGCONT" | "SIGKILL" | "SIGSTOP";

/** Gone processes are noticed by looking; a stop seldom takes longer than one or two looks. */
const LOOK_MS = 25;
/** How long signalled processes may take to vanish before everything is searched again for what they forked. */
const SEARCH_MS = 100;
/** How long KILLed processes, and what they forked, may take in all. */
const BOUND_MS = 1000;
/** Searches until a freeze has caught everything; only what forks faster than it can be stopped needs more. */
const FREEZES = 10;
/** Looks that must all find nothing: one can miss a process that forks its successor and ends while it is taken. */
const EMPTY_LOOKS = 3;
/** Looks in all. On a busy machine some processes end before their marks are read, and such a look does not count. */
const MAX_LOOKS = 20;

/**
 * Every living process of a session (see `Families`). Never contains this process or pid 1, nor an ancestor of this
 * process, unless that one is the agent or descends from it. Nothing is taken for ours on the number of a pid or a
 * group alone: a number may have been given to someone else.
 */
export async function findTree(
  root: ProcessIdentity,
  mark?: string,
  memory: Marks = marks,
): Promise<ProcessIdentity[]> {
  return (await search({ root, mark, known: new Set(), marks: memory })).found;
}

/**
 * Ends everything `findTree` finds: TERM, then after `grace` ms KILL, and looks again until nothing is found. Before
 * each, everything is stopped where it stands, so that nothing can fork, lose its parent and be overlooked between a
 * search and the signal. Takes at most `grace` + 1 s, unless this process itself is held up; what still lives then (a
 * process stuck in the kernel, another user's) is returned.
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
    // Reading marks takes time on a busy machine: what is found by descent is stopped before.
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
    // Those that take their time share their looks, by descent; that nothing is left takes a look of its own.
    if (!areGone) tree = await find({ maxAgeMs: LOOK_MS });
    if (areGone || tree.found.length === 0) tree = await look();
  }
  // Counted from here: on a machine so busy that this comes late, everything is killed all the same.
  const bound = performance.now() + BOUND_MS;
  while (tree.found.length > 0 && performance.now() < bound) {
    tree = await freeze();
    signalTree(tree, "SIGKILL");
    await allGone(tree.found, Math.min(bound, performance.now() + SEARCH_MS));
    tree = await look();
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
  /** False when a process ended before it could be told whose it was; it may have left another one. */
  readonly isCertain: boolean;
  /** The group that may be signalled as one, which catches what is being forked at this moment. */
  readonly group: { readonly id: number; readonly leader: ProcessIdentity } | undefined;
  readonly groupOf: ReadonlyMap<ProcessIdentity, number>;
}

interface Search {
  readonly root: ProcessIdentity;
  readonly mark: string | undefined;
  /** Keys of what earlier searches have proven to be ours. */
  readonly known: ReadonlySet<string>;
  readonly marks: Marks;
  readonly maxAgeMs?: number;
}

async function search({ root, mark, known, marks, maxAgeMs }: Search): Promise<Tree> {
  // After a reboot nothing of the old boot lives, whatever its number says.
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
    // Descent says enough: only the marks of other processes are read.
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
 * This process, its ancestors and init. When an agent has started this server below itself, the agent and everything
 * between the two are its own descendants and ended like all others.
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
    // It ended first, or belongs to another user: the next look tells.
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
