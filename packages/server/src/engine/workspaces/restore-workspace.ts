import { ok } from "@drover/core";
import type { Answer } from "../../service.ts";
import type { EngineContext } from "../context.ts";
import { directoryOf } from "../directory.ts";
import type { SessionActor } from "../session/actor.ts";
import { managerOf } from "./manager-of.ts";

/** Makes a session's workspace again if something outside Drover removed or altered it. */
export async function restoreWorkspace(
  { deps, projects }: EngineContext,
  { journal, log }: SessionActor,
): Answer<void> {
  const { row } = journal;
  if (row.workspace.mode === "local") return ok(undefined);
  const directory = await directoryOf(row, deps);
  if (!directory.ok) return directory;
  const restored = await managerOf(deps, row.workspace).restore(row);
  if (!restored.ok) return restored;
  const project = restored.value.isNew ? await projects.current(row) : undefined;
  if (project?.setup.length)
    await log.mailbox.run(() => journal.append({ runtime: { setup: "due" }, durability: "command" }));
  return ok(undefined);
}
