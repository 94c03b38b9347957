// The processor time of a test file: the worker's, and that of every server, agent and browser it starts.
import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { processorSeconds } from "./processes.ts";
import { until } from "./until.ts";

/** Where Linux mounts version 2 control groups: alone, or next to version 1. */
const mounts = ["/sys/fs/cgroup", "/sys/fs/cgroup/unified"];

interface Group {
  /** The group this process was in before. */
  readonly parent: string;
  readonly path: string;
}

const procs = (group: string) => join(group, "cgroup.procs");
const enter = (group: string) => writeFileSync(procs(group), String(process.pid));

/** Processes that the worker keeps for its next file: its browser. */
let kept: string[] = [];

function moveKept(group: string): void {
  for (const pid of kept) {
    try {
      writeFileSync(procs(group), pid);
    } catch {
      // It has ended.
    }
  }
}

/**
 * A control group for this process and everything it starts, where permitted. Agents and renderers outlive their
 * parents, so that waiting for children misses most of their time; they stay in the group.
 */
function ownGroup(name: string): Group | undefined {
  for (const mount of mounts) {
    try {
      const own = /^0::(.*)$/m.exec(readFileSync("/proc/self/cgroup", "utf8"))?.[1] ?? "";
      const parent = join(mount, own);
      readFileSync(procs(parent));
      const path = join(parent, `drover-test-${process.pid}-${name}`);
      mkdirSync(path);
      enter(path);
      moveKept(path);
      return { parent, path };
    } catch {
      // Not mounted there, or read-only.
    }
  }
  return undefined;
}

function secondsOf(group: string): number {
  const stat = readFileSync(join(group, "cpu.stat"), "utf8");
  return Number(/^usage_usec (\d+)$/m.exec(stat)?.[1] ?? 0) / 1e6;
}

/** Removes a group, and those of workers that its programs started; throws while one still has a process. */
function remove(group: string): true {
  for (const entry of readdirSync(group, { withFileTypes: true })) {
    if (entry.isDirectory()) remove(join(group, entry.name));
  }
  rmdirSync(group);
  return true;
}

/** Starts measuring. The returned function returns the processor seconds used; call it when everything has ended. */
export function startMeter(name: string): () => Promise<number> {
  const group = ownGroup(name);
  const atStart = processorSeconds();
  return async () => {
    // Without a group: this process, and those of its children that it waited for.
    if (!group) return processorSeconds() - atStart;
    const seconds = secondsOf(group.path);
    enter(group.parent);
    kept = readFileSync(procs(group.path), "utf8").split("\n").filter(Boolean);
    moveKept(group.parent);
    // A killed process stays in the group for a moment. A group that remains is empty and harmless.
    await until(() => remove(group.path), { deadline: 2_000 }).catch(() => undefined);
    return seconds;
  };
}
