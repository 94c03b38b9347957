import type { EventOf, Rejection, Result } from "@drover/core";
import type { Announcement, StoredCommit } from "../../ports.ts";
import type { EngineContext } from "../context.ts";
import type { Reactor } from "../reactions/reactors.ts";
import type { SessionActor } from "../session/actor.ts";
import { settleMerge } from "./merge-session.ts";
import { refresh } from "./refresh.ts";
import { inReview, type Reviewed, reviewedOf } from "./review-place.ts";
import { repeatUpdate } from "./update-session.ts";

/** Keeps reviews true: a turn that ended, or a person who took changes back, may have changed what there is to review. */
export class ReviewKeeper implements Reactor {
  readonly name = "review";
  private readonly context: EngineContext;

  constructor(context: EngineContext) {
    this.context = context;
  }

  async handle({ stream, after, seq, removed }: StoredCommit): Promise<readonly Announcement[]> {
    if (removed) return [];
    const { deps, registry } = this.context;
    const row = await registry.row(stream);
    if (row?.workspace.mode !== "worktree") return [];
    const events = await deps.store.eventsOfTypes(stream, { after, seq }, ["done", "turn_changes"]);
    if (!events.some(({ type, data }) => type === "done" || isPersons(JSON.parse(data)))) return [];
    const actor = await registry.find(stream);
    if (actor) await refreshSession(this.context, actor);
    return [];
  }
}

/** The changes of a turn come with its end. */
const isPersons = ({ reverts, discarded }: EventOf<"turn_changes">): boolean =>
  reverts !== undefined || discarded === true;

/** Refreshes the review of a session that may have none, or be gone. Never rejects for what git says. */
export async function refreshSession(context: EngineContext, actor: SessionActor): Promise<void> {
  const { workspace } = actor.journal.row;
  if (workspace.mode !== "worktree" || actor.isBeingDeleted) return;
  const refreshed = await inReview(actor, async (): Promise<Result<unknown, Rejection>> => {
    const found = await reviewedOf(context, actor);
    if (!found.ok) return found;
    await continueBegun(context, found.value);
    return refresh(context, found.value);
  });
  if (refreshed.ok) return;
  const { code, message } = refreshed.error;
  context.deps.logger.debug("A review could not be refreshed", { session: actor.id, code, error: message });
}

/** After a merge: the other sessions that would be merged into the same branch. */
export async function refreshOthers(context: EngineContext, merged: SessionActor): Promise<void> {
  const { review } = merged.journal.state;
  const { repository } = merged.journal.row.workspace;
  for (const actor of await context.registry.loaded()) {
    const { row, state } = actor.journal;
    const isOther = actor !== merged && row.workspace.repository?.gitDirectory === repository?.gitDirectory;
    if (isOther && state.review?.into === review?.into && !state.turn) await refreshSession(context, actor);
  }
}

/** Finishes what was cut off after it had begun: by the death of a server, or a locked index. Runs in `inReview`. */
export async function continueBegun(context: EngineContext, reviewed: Reviewed): Promise<void> {
  const { runtime } = reviewed.actor.journal.row;
  if (runtime.update?.isWritten === false) await repeatUpdate(context, reviewed);
  if (runtime.merge?.planned && (await settleMerge(context, reviewed, runtime.merge.planned)))
    context.background.run(() => refreshOthers(context, reviewed.actor));
}
