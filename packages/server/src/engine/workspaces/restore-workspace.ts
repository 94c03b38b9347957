import { ok } from "@drover/core";
import type { SessionRow } from "../../ports.ts";
import type { Answer } from "../../service.ts";
import type { EngineContext } from "../context.ts";
import { directoryOf } from "../directory.ts";
import { managerOf } from "./manager-of.ts";

/** Makes a session's workspace again if something outside Drover removed or altered it. */
export async function restoreWorkspace({ deps }: EngineContext, row: SessionRow): Answer<void> {
  if (row.workspace.mode === "local") return ok(undefined);
  const directory = await directoryOf(row, deps);
  if (!directory.ok) return directory;
  return managerOf(deps, row.workspace).restore(row);
}
