import { execFile, execFileSync, type StdioOptions } from "node:child_process";
import { closeSync, openSync, read, readdirSync, readFileSync, readSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { promisify } from "node:util";

/** One process as the kernel describes it at one moment. */
export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** Linux: clock ticks since boot. macOS: the start second in UTC. Compared for equality, never used in arithmetic. */
  readonly startTime: string;
  /** Dead, but not yet reaped by its parent: it runs nothing and holds nothing. */
  readonly gone: boolean;
  /** The address of its environment in memory, which changes when it runs another program. `0` if unknown. */
  readonly image: string;
}

interface ProcessTable {
  entry(pid: number): ProcessEntry | undefined;
  all(): Promise<ProcessEntry[]>;
  /** `NAME=value` strings the process was started with, each terminated by NUL; empty if they cannot be read. */
  environment(pid: number): Promise<string>;
  bootId(): string;
}

/** Entries read before other work gets its turn: a millisecond or two. */
const SLICE = 200;
/** Larger than most environments. */
const CHUNK = 16 * 1024;
/** For one `stat` file after another: `readFileSync` would allocate 64 KB for each, hundreds of times per scan. */
const statBuffer = Buffer.allocUnsafeSlow(4096);
const PS_COLUMNS = ["-o", "pid=,ppid=,pgid=,stat=,lstart="];
const PS_OPTIONS = { encoding: "latin1", env: { PATH: "/bin:/usr/bin", LC_ALL: "C", TZ: "UTC" } } as const;

const linux: ProcessTable = {
  entry(pid) {
    const stat = readStat(`/proc/${pid}/stat`);
    return stat === undefined ? undefined : parseStat(pid, stat);
  },
  async all() {
    const entries: ProcessEntry[] = [];
    const pids = readdirSync("/proc").map(Number).filter(Number.isInteger);
    for (const [index, pid] of pids.entries()) {
      if (index > 0 && index % SLICE === 0) await setImmediate();
      const entry = linux.entry(pid);
      if (entry) entries.push(entry);
    }
    return entries;
  },
  environment: (pid) => readMemory(`/proc/${pid}/environ`).catch(() => ""),
  bootId: () => readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim(),
};

/** Experimental: `ps` reports start times only to the second, and no environments. */
const darwin: ProcessTable = {
  entry: (pid) => parsePs(ps(pid))[0],
  all: async () => parsePs((await promisify(execFile)("ps", ["-ax", ...PS_COLUMNS], PS_OPTIONS)).stdout),
  environment: async () => "",
  bootId: () =>
    execFileSync("/usr/sbin/sysctl", ["-n", "kern.bootsessionuuid"], { encoding: "latin1" }).trim(),
};

const table = process.platform === "darwin" ? darwin : linux;
let boot: string | undefined;
let areImagesKnown: boolean | undefined;
let recent: Scan | undefined;
let next: Promise<ProcessEntry[]> | undefined;

export const readEntry = table.entry;
export const readEnvironment = table.environment;

interface Scan {
  readonly at: number;
  readonly entries: Promise<ProcessEntry[]>;
  isDone: boolean;
}

/**
 * All processes, from a scan that started at most `maxAgeMs` before this call. Callers that come while a scan is running
 * share the next one: stopping a hundred agents at once takes no more scans than stopping one.
 */
export function readEntries(maxAgeMs = 0): Promise<ProcessEntry[]> {
  if (recent && performance.now() - recent.at <= maxAgeMs) return recent.entries;
  if (!recent || recent.isDone) return scan();
  next ??= recent.entries.then(scan, scan);
  return next;
}

function scan(): Promise<ProcessEntry[]> {
  next = undefined;
  const started: Scan = { at: performance.now(), entries: table.all(), isDone: false };
  recent = started;
  const done = () => {
    started.isDone = true;
  };
  started.entries.then(done, done);
  return started.entries;
}

/** Whether this kernel reports where environments are: then only an unreadable one is at `0`. */
export function tellsImages(): boolean {
  areImagesKnown ??= (table.entry(process.pid)?.image ?? "0") !== "0";
  return areImagesKnown;
}

export function bootId(): string {
  boot ??= table.bootId();
  return boot;
}

/** proc(5). The name (field 2) may itself contain spaces and parentheses, so fields are counted from its last `)`. */
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
    // A first thread that ended before the others also shows as Z, but the program is alive.
    gone: state === "X" || state === "x" || (state === "Z" && threads <= 1),
    image: field(50) || "0",
  };
}

/**
 * A file that the kernel reads from another process's memory, which that process can delay: only the reading leaves
 * this thread, since every further switch is slow on a busy machine.
 */
async function readMemory(path: string): Promise<string> {
  const descriptor = openSync(path, "r");
  try {
    const chunks: Buffer[] = [];
    for (;;) {
      const { bytesRead, buffer } = await promisify(read)(
        descriptor,
        Buffer.allocUnsafe(CHUNK),
        0,
        CHUNK,
        null,
      );
      chunks.push(buffer.subarray(0, bytesRead));
      if (bytesRead < CHUNK) return Buffer.concat(chunks).toString("latin1");
    }
  } finally {
    closeSync(descriptor);
  }
}

function readStat(path: string): string | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, "r");
    return statBuffer.toString("latin1", 0, readSync(descriptor, statBuffer));
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function ps(pid: number): string {
  try {
    const stdio: StdioOptions = ["ignore", "pipe", "ignore"];
    return execFileSync("ps", ["-p", String(pid), ...PS_COLUMNS], { ...PS_OPTIONS, stdio });
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
