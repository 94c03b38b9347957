import type { SessionWorkspace, WorkspaceManager } from "../../ports.ts";
import type { EngineDeps } from "../deps.ts";

export function managerOf(
  { workspaces }: EngineDeps,
  { mode }: Pick<SessionWorkspace, "mode">,
): WorkspaceManager {
  const manager = workspaces[mode];
  if (!manager) throw new Error(`Nothing manages workspaces in mode ${mode}`);
  return manager;
}
