// The processor time of a test file: the worker's, and that of every server, agent and browser it starts.
import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { processorSeconds } from "./processes.ts";
import { until } from "./until.ts";

/** Where Linux mounts control groups of version 2: alone, or beside those of version 1. */
const mounts = ["/sys/fs/cgroup", "/sys/fs/cgroup/unified"];

interface Group {
  /** The group this process was in before. */
  readonly parent: string;
  readonly path: string;
}

const enter = (group: string) => writeFileSync(join(group, "cgroup.procs"), String(process.pid));

/**
 * A control group of this process and everything it starts, where that is allowed. Agents and renderers outlive their
 * parents, so that waiting for children misses most of what they used; they stay in the group.
 */
function ownGroup(name: string): Group | undefined {
  for (const mount of mounts) {
    try {
      const own = /^0::(.*)$/m.exec(readFileSync("/proc/self/cgroup", "utf8"))?.[1] ?? "";
      const parent = join(mount, own);
      readFileSync(join(parent, "cgroup.procs"));
      const path = join(parent, `drover-test-${process.pid}-${name}`);
      mkdirSync(path);
      enter(path);
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

/** Removes a group, and those of workers that its programs started; throws while a process is in one of them. */
function remove(group: string): true {
  for (const entry of readdirSync(group, { withFileTypes: true })) {
    if (entry.isDirectory()) remove(join(group, entry.name));
  }
  rmdirSync(group);
  return true;
}

/** Starts to measure. Call what it returns when everything has ended: it returns the processor seconds that were used. */
export function startMeter(name: string): () => Promise<number> {
  const group = ownGroup(name);
  const atStart = processorSeconds();
  return async () => {
    // Without a group: this process, and those of its children that it waited for.
    if (!group) return processorSeconds() - atStart;
    const seconds = secondsOf(group.path);
    enter(group.parent);
    // What was just killed is in it for another moment. A group that stays is empty and does no harm.
    await until(() => remove(group.path), { deadline: 2_000 }).catch(() => undefined);
    return seconds;
  };
}
