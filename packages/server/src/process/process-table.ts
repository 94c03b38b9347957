import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

/** One process as the kernel describes it at one moment. */
export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** Linux: clock ticks since boot. macOS: the start second in UTC. Compared for equality, never computed with. */
  readonly startTime: string;
  /** Dead, but its parent has not yet taken note: it runs nothing and holds nothing. */
  readonly gone: boolean;
}

interface ProcessTable {
  entry(pid: number): ProcessEntry | undefined;
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
  all() {
    const entries: ProcessEntry[] = [];
    for (const name of readdirSync("/proc")) {
      const pid = Number(name);
      if (!Number.isInteger(pid)) continue;
      const entry = linux.entry(pid);
      if (entry !== undefined) entries.push(entry);
    }
    return entries;
  },
  environment: (pid) => readOrUndefined(`/proc/${pid}/environ`) ?? "",
  bootId: () => readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim(),
};

/** Experimental: `ps` knows start times only to the second and nobody's environment. */
const darwin: ProcessTable = {
  entry: (pid) => parsePs(ps(["-p", String(pid)]))[0],
  all: () => parsePs(ps(["-ax"])),
  environment: () => "",
  bootId: () =>
    execFileSync("/usr/sbin/sysctl", ["-n", "kern.bootsessionuuid"], { encoding: "latin1" }).trim(),
};

const table = process.platform === "darwin" ? darwin : linux;
let boot: string | undefined;

export const readEntry = table.entry;
export const readEntries = table.all;
export const readEnvironment = table.environment;

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
    });
  }
  return entries;
}
