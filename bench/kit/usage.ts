import { readFileSync, writeFileSync } from "node:fs";

/** Megabytes a process holds at this moment, and the most it has held since `forgetPeak`; NaN where there is no /proc. */
export function memoryOf(pid: number): { now: number; peak: number } {
  const field = (status: string, name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(status)?.[1] ?? Number.NaN) / 1024;
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return { now: field(status, "VmRSS"), peak: field(status, "VmHWM") };
  } catch {
    return { now: Number.NaN, peak: Number.NaN };
  }
}

/** Lets `peak` begin again at what the process holds now. */
export function forgetPeak(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, "5");
  } catch {
    // No /proc: the peak is not known anyway.
  }
}

/** Linux counts in hundredths of a second, whatever the kernel's own tick. */
const TICKS_PER_SECOND = 100;

/** Seconds of processor time a process has used so far, all its threads together; NaN where there is no /proc. */
export function cpuSecondsOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // Behind the program's name, which may hold anything: state is field 3, utime 14, stime 15.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  } catch {
    return Number.NaN;
  }
}
