import { arch, cpus, loadavg, platform, totalmem } from "node:os";

/** What a figure must be read with. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGb: number;
  readonly system: string;
  readonly node: string;
  /** The mean of the last minute, at the start. */
  readonly load: number;
}

/** Above it something else is running, and what is measured is that as well. */
export const busyAbove = 0.5;

export const thisMachine = (): Machine => ({
  cpu: cpus()[0]?.model.trim() ?? "unknown",
  cores: cpus().length,
  memoryGb: Math.round(totalmem() / 1024 ** 3),
  system: `${platform()} ${arch()}`,
  node: process.version,
  load: loadavg()[0] ?? 0,
});
