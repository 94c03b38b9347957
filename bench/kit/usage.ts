import { readFileSync, writeFileSync } from "node:fs";

/** The memory of a process in megabytes, now and at its peak since `forgetPeak`; NaN without /proc. */
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

/** Resets `peak` to the current memory of the process. */
export function forgetPeak(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, "5");
  } catch {
    // Without /proc the peak is unknown anyway.
  }
}

/** Linux reports hundredths of a second, whatever the kernel's tick. */
const TICKS_PER_SECOND = 100;

/** Seconds of processor time that a process and its threads have used; NaN without /proc. */
export function cpuSecondsOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // Skip the program's name, which may contain anything: state is field 3, utime 14, stime 15.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  } catch {
    return Number.NaN;
  }
}
