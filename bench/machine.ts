import { arch, cpus, loadavg, platform, totalmem } from "node:os";

/** The context of the figures. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGb: number;
  readonly system: string;
  readonly node: string;
  /** The load average of the last minute, at the start. */
  readonly load: number;
}

/** Above this load something else is running and would distort the figures. */
export const busyAbove = 0.5;

export const thisMachine = (): Machine => ({
  cpu: cpus()[0]?.model.trim() ?? "unknown",
  cores: cpus().length,
  memoryGb: Math.round(totalmem() / 1024 ** 3),
  system: `${platform()} ${arch()}`,
  node: process.version,
  load: loadavg()[0] ?? 0,
});
