import { ok, type Rejection, type Result, type Review, reject } from "@drover/core";
import type { WorkspacePlace } from "../../ports.ts";
import type { Answer } from "../../service.ts";
import { refuseRunning } from "../checkpoints/change-files.ts";
import type { EngineContext } from "../context.ts";
import { directoryOf } from "../directory.ts";
import { notFound } from "../not-found.ts";
import type { SessionActor } from "../session/actor.ts";

/** A session in a worktree, and the branch that its project merges into. */
export interface Reviewed {
  readonly actor: SessionActor;
  readonly place: WorkspacePlace;
  readonly target: string | undefined;
  readonly checks: readonly (readonly string[])[];
}

export async function findReviewed(context: EngineContext, idOrName: string): Answer<Reviewed> {
  const actor = await context.registry.find(idOrName);
  if (!actor || actor.isBeingDeleted) return notFound("session", idOrName);
  return reviewedOf(context, actor);
}

/** Rejects a session that works in the user's own directory. */
export async function reviewedOf(context: EngineContext, actor: SessionActor): Answer<Reviewed> {
  const { row } = actor.journal;
  const cwd = await directoryOf(row, context.deps);
  if (!cwd.ok) return cwd;
  if (row.workspace.mode !== "worktree") {
    const message = `The session works in ${row.cwd} itself, so there is nothing to review or merge; start a session in a worktree for that`;
    return reject("UNSUPPORTED", message, { what: "worktree" });
  }
  const project = await context.projects.current(row);
  const place = { workspace: row.workspace, cwd: cwd.value };
  return ok({ actor, place, target: project?.target, checks: project?.checks ?? [] });
}

/** Rejects while a turn is running in another session that works in the same worktree, such as a fork. */
export async function refuseShared(
  { deps, registry }: EngineContext,
  { id, journal }: SessionActor,
  next: string,
): Promise<Result<never, Rejection> | undefined> {
  for (const other of await deps.store.sessionsIn(journal.row.workspace.path)) {
    const actor = other === id ? undefined : await registry.find(other);
    const refused = actor && refuseRunning(actor, next);
    if (refused) return refused;
  }
  return undefined;
}

/** Runs a task that nothing else about the session's review can come between. */
export const inReview = <T>({ reviews }: SessionActor, task: () => Promise<T>): Promise<T> =>
  reviews.run(task);

/** What was reviewed, for a merge into this branch: for another one, the files are compared with another commit. */
export function workFor(into: string, { work, into: reviewed }: Pick<Review, "work" | "into">): string {
  return into === reviewed ? work : (work.split("-", 1)[0] ?? work);
}

export const noReview: Review = {
  ...{ state: "none", ahead: 0, behind: 0, files: 0, added: 0, removed: 0, work: "" },
};
