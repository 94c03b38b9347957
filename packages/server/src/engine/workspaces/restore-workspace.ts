import { lstat } from "node:fs/promises";
import { ok } from "@drover/core";
import { CheckpointError } from "../../ports.ts";
import type { Answer } from "../../service.ts";
import type { EngineContext } from "../context.ts";
import { directoryOf } from "../directory.ts";
import type { SessionActor } from "../session/actor.ts";
import type { Change } from "../session/journal.ts";
import { Mailbox } from "../session/mailbox.ts";
import { managerOf } from "./manager-of.ts";

/** Requests for the same session wait for each other: an agent may already work in what the first one restored. */
const restores = new WeakMap<SessionActor, Mailbox>();

export function restoreWorkspace(context: EngineContext, actor: SessionActor): Answer<void> {
  const mailbox = restores.get(actor) ?? new Mailbox();
  restores.set(actor, mailbox);
  return mailbox.run(() => restore(context, actor));
}

/**
 * Makes a session's workspace again if something outside Drover removed or altered it. A new one gets the files of the
 * last checkpoint, and is set up again; a server that dies in between leaves that for the next resume.
 */
async function restore(
  { deps, projects }: EngineContext,
  { journal, log, turns }: SessionActor,
): Answer<void> {
  const { row } = journal;
  if (row.workspace.mode === "local") return ok(undefined);
  const directory = await directoryOf(row, deps);
  if (!directory.ok) return directory;
  const commit = (change: Omit<Change, "durability">) =>
    log.mailbox.run(() => log.commit({ ...change, durability: "command" }));
  const manager = managerOf(deps, row.workspace);
  const { state } = await manager.inspect(row);
  const isDue = row.runtime.restoring !== undefined;
  if (state === "ready" && !isDue) return ok(undefined);
  const isGone = (await lstat(row.workspace.path).catch(() => undefined)) === undefined;
  if (isGone && !isDue) await commit({ runtime: { restoring: "due" } });
  const restored = await manager.restore(row);
  if (!restored.ok) return restored;
  const isNew = restored.value.isNew || isDue;
  const files = isNew ? await turns.checkpointer.exclusively(() => lastFiles({ log, turns })) : 0;
  const project = isNew ? await projects.current(row) : undefined;
  const events = isNew ? [notice(row.workspace.path, files)] : [];
  const setup = project?.setup.length ? { setup: "due" as const } : {};
  await commit({ events, runtime: { restoring: null, ...setup } });
  return ok(undefined);
}

/** How many files the last checkpoint brought back; undefined if they could not be written. */
async function lastFiles({ log, turns }: Pick<SessionActor, "log" | "turns">): Promise<number | undefined> {
  const { checkpoints, settings, logger } = log.deps;
  const { session } = turns.checkpointer;
  try {
    return (await checkpoints.returnToLast(session, settings.checkpointTimeoutMs))?.length ?? 0;
  } catch (error) {
    if (!(error instanceof CheckpointError)) throw error;
    logger.warn("Could not restore a checkpoint", { session: session.sessionId, error: error.message });
    return undefined;
  }
}

function notice(path: string, files: number | undefined) {
  const what =
    files === undefined
      ? "the files of its last checkpoint could not be written"
      : `${files === 1 ? "1 file is" : `${files} files are`} from its last checkpoint`;
  const message = `The worktree ${path} was made again from its branch; ${what}`;
  return { type: "notice" as const, code: "WORKSPACE_RESTORED", message, facts: { files: files ?? null } };
}
