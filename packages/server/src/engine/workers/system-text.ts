import { mergeSystem } from "@drover/core";
import type { SessionAbout } from "../../ports.ts";
import type { EngineDeps } from "../deps.ts";

/** A session's own system text. A worker's begins with what every worker has to do. */
export function systemTextOf(
  { workers }: Pick<EngineDeps, "workers">,
  { worker, system }: Pick<SessionAbout, "worker" | "system">,
): { system?: string } {
  if (!worker) return system === undefined ? {} : { system };
  return { system: mergeSystem(workers.texts.mode(worker.mode).trim(), system ?? "") };
}
