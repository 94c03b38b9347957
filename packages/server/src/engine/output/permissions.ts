import {
  modeRules,
  offeredModes,
  type PermissionMode,
  type Preset,
  type Rejection,
  type Result,
  reject,
  type WorkerMode,
} from "@drover/core";
import type { EngineDeps } from "../deps.ts";

/**
 * The permission mode of a worker that only writes its output. One that can ask, asks: Drover answers by the worker's
 * mode. One that cannot needs a sandbox in which it can write; what else it changes is put back.
 */
export function readersMode({ drivers }: EngineDeps, preset: Preset): PermissionMode {
  const asks = drivers[preset.driver]?.capabilities(preset).approvals === "live";
  const offered = offeredModes(preset);
  const wanted = asks ? "ask" : "acceptEdits";
  return offered.includes(wanted) ? wanted : (offered[0] ?? wanted);
}

/** Rejects a choice of the permission mode that a worker's own mode leaves open to nobody. */
export function refuseWorkerOptions(
  worker: { readonly mode: WorkerMode } | undefined,
  { permissionMode }: { readonly permissionMode?: PermissionMode | undefined },
): Result<never, Rejection> | undefined {
  if (!worker || permissionMode === undefined || modeRules[worker.mode].changesFiles) return undefined;
  const message = `A worker of the mode "${worker.mode}" only reads files and writes its output; omit permissionMode`;
  return reject("UNSUPPORTED", message, { what: `permissionMode ${permissionMode}` });
}
