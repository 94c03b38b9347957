import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { setImmediate } from "node:timers/promises";

/** One process as the kernel describes it at one moment. */
export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** Linux: clock ticks since boot. macOS: the start second in UTC. Compared for equality, never computed with. */
  readonly startTime: string;
  /** Dead, but its parent has not yet taken note: it runs nothing and holds nothing. */
  readonly gone: boolean;
  /** Where its environment lies in memory: another place once it runs another program. `0` when that cannot be told. */
  readonly image: string;
}

interface ProcessTable {
  entry(pid: number): ProcessEntry | undefined;
  pids(): number[];
  all(): ProcessEntry[];
  /** `NAME=value` strings the process was started with, each ended by NUL; empty when they cannot be read. */
  environment(pid: number): string;
  bootId(): string;
}

const linux: ProcessTable = {
  entry(pid) {
    const stat = readOrUndefined(`/proc/${pid}/stat`);
    return stat === undefined ? undefined : parseStat(pid, stat);
  },
  pids: () => readdirSync("/proc").map(Number).filter(Number.isInteger),
  all: () => linux.pids().flatMap((pid) => linux.entry(pid) ?? []),
  environment: (pid) => readOrUndefined(`/proc/${pid}/environ`) ?? "",
  bootId: () => readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim(),
};

/** Experimental: `ps` knows start times only to the second and nobody's environment. */
const darwin: ProcessTable = {
  entry: (pid) => parsePs(ps(["-p", String(pid)]))[0],
  pids: () => darwin.all().map(({ pid }) => pid),
  all: () => parsePs(ps(["-ax"])),
  environment: () => "",
  bootId: () =>
    execFileSync("/usr/sbin/sysctl", ["-n", "kern.bootsessionuuid"], { encoding: "latin1" }).trim(),
};

const table = process.platform === "darwin" ? darwin : linux;
let boot: string | undefined;
let recent: { readonly at: number; readonly entries: ProcessEntry[] } | undefined;

/** Entries read before other work gets its turn: a millisecond or two. */
const SLICE = 200;

export const readEntry = table.entry;
export const readEnvironment = table.environment;

/** Every process, as it was at most `maxAgeMs` ago: many who wait at the same time share one look. */
export function readEntries(maxAgeMs = 0): ProcessEntry[] {
  if (recent && performance.now() - recent.at <= maxAgeMs) return recent.entries;
  const entries = table.all();
  recent = { at: performance.now(), entries };
  return entries;
}

/** Every process, each shown to `visit`, in slices: a machine with many of them does not hold up the server. */
export async function readEntriesInSlices(visit: (entry: ProcessEntry) => void): Promise<ProcessEntry[]> {
  const entries: ProcessEntry[] = [];
  for (const [index, pid] of table.pids().entries()) {
    if (index > 0 && index % SLICE === 0) await setImmediate();
    const entry = table.entry(pid);
    if (!entry) continue;
    visit(entry);
    entries.push(entry);
  }
  return entries;
}

export function bootId(): string {
  boot ??= table.bootId();
  return boot;
}

/** proc(5). The name (field 2) may itself hold spaces and parentheses, so fields are counted from its last `)`. */
export function parseStat(pid: number, stat: string): ProcessEntry {
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const field = (number: number): string => fields[number - 3] ?? "";
  const state = field(3);
  const threads = Number(field(20));
  return {
    pid,
    parent: Number(field(4)),
    group: Number(field(5)),
    startTime: field(22),
    // A first thread that ended before the others shows as Z too, but the program is alive.
    gone: state === "X" || state === "x" || (state === "Z" && threads <= 1),
    image: field(50) || "0",
  };
}

function readOrUndefined(path: string): string | undefined {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return undefined;
  }
}

function ps(selection: string[]): string {
  try {
    return execFileSync("ps", [...selection, "-o", "pid=,ppid=,pgid=,stat=,lstart="], {
      encoding: "latin1",
      env: { PATH: "/bin:/usr/bin", LC_ALL: "C", TZ: "UTC" },
      stdio: ["ignore", "pipe", "ignore"],
    });
  } catch {
    return "";
  }
}

export function parsePs(output: string): ProcessEntry[] {
  const entries: ProcessEntry[] = [];
  for (const line of output.split("\n")) {
    const [pid, parent, group, state, ...start] = line.trim().split(/\s+/);
    if (pid === undefined || state === undefined || start.length === 0) continue;
    entries.push({
      pid: Number(pid),
      parent: Number(parent),
      group: Number(group),
      startTime: start.join(" "),
      gone: state.startsWith("Z"),
      image: "0",
    });
  }
  return entries;
}
