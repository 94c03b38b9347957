import type { EventOf } from "@drover/core";
import type { Announcement, StoredCommit } from "../../ports.ts";
import type { EngineContext } from "../context.ts";
import type { Reactor } from "../reactions/reactors.ts";
import { refreshSession } from "./refresh.ts";

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
