// Finds and ends what a test left running. Linux only: elsewhere there is no /proc and nothing is found.
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { until } from "./until.ts";

export interface FoundProcess {
  pid: number;
  command: string;
}

function read<T>(reader: () => T): T | undefined {
  try {
    return reader();
  } catch {
    return undefined; // gone already, or not ours to read
  }
}

function pids(): number[] {
  return (read(() => readdirSync("/proc")) ?? []).map(Number).filter(Number.isInteger);
}

/** The command line of a process, or undefined when it is gone; a zombie counts as gone. */
export function commandOf(pid: number): string | undefined {
  const line = read(() => readFileSync(`/proc/${pid}/cmdline`, "utf8"));
  return line ? line.replaceAll("\0", " ").trim() : undefined;
}

export function isAlive(pid: number): boolean {
  return commandOf(pid) !== undefined;
}

/**
 * Kills one process. Not `process.kill(pid ?? -1)`: a pid of -1 is every process of this user, and 0 the caller's own
 * group.
 */
export function kill9(pid: number | undefined): void {
  if (pid === undefined || pid <= 1) throw new Error(`There is no such process to kill: ${pid}`);
  process.kill(pid, "SIGKILL");
}

/** Milliseconds in which a process was runnable but others had the processor: proc(5), schedstat. */
export function heldUp(pid: number): number {
  const waited = read(() => readFileSync(`/proc/${pid}/schedstat`, "utf8"))?.split(" ")[1];
  return Number(waited ?? 0) / 1e6;
}

/** Processor seconds of this process and of all its children that have ended: proc(5), stat. */
export function processorSeconds(): number {
  const stat = read(() => readFileSync("/proc/self/stat", "utf8"));
  // The name before the parenthesis may contain spaces. Times are in hundredths of a second.
  const fields =
    stat
      ?.slice(stat.lastIndexOf(")") + 2)
      .split(" ")
      .slice(11, 15) ?? [];
  return fields.reduce((sum, field) => sum + Number(field) / 100, 0);
}

/** The environment a process was started with, or undefined if it is gone or not ours to read. */
export function environmentOf(pid: number): Map<string, string> | undefined {
  const text = read(() => readFileSync(`/proc/${pid}/environ`, "utf8"));
  if (text === undefined) return undefined;
  const pairs = text.split("\0").filter((entry) => entry.includes("="));
  return new Map(
    pairs.map((entry) => [entry.slice(0, entry.indexOf("=")), entry.slice(entry.indexOf("=") + 1)]),
  );
}

/**
 * Every other process that belongs to `directory`: its working directory or a path in its environment is below it. An
 * agent inherits HOME and TMPDIR through every fork and setsid, so a run's own directory is its mark.
 */
export function processesOf(directory: string): FoundProcess[] {
  const found: FoundProcess[] = [];
  for (const pid of pids()) {
    if (pid === process.pid || !belongsTo(pid, directory)) continue;
    const command = commandOf(pid);
    if (command) found.push({ pid, command });
  }
  return found;
}

/** Called for every process of the machine, so it doesn't parse what it reads. */
function belongsTo(pid: number, directory: string): boolean {
  const environment = read(() => readFileSync(`/proc/${pid}/environ`, "utf8"));
  if (environment?.includes(`${directory}/`) || environment?.includes(`=${directory}\0`)) return true;
  // Kernel threads have neither an environment nor a command.
  if (!environment && !commandOf(pid)) return false;
  return `${read(() => readlinkSync(`/proc/${pid}/cwd`))}/`.startsWith(`${directory}/`);
}

/** Kills everything that belongs to `directory`, until nothing is left; returns what it found. */
export async function killAllOf(directory: string): Promise<FoundProcess[]> {
  const killed = new Map<number, FoundProcess>();
  const sweep = () => {
    const alive = processesOf(directory);
    for (const found of alive) {
      killed.set(found.pid, found);
      read(() => process.kill(found.pid, "SIGKILL"));
    }
    return alive.length === 0;
  };
  await until(sweep, { what: `no process of ${directory} is left` });
  return [...killed.values()];
}
