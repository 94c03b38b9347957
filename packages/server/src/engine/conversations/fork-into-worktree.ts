import { type ForkSession, type Item, ok, reject, type Session } from "@drover/core";
import { CheckpointError, type Intent, localWorkspace } from "../../ports.ts";
import type { Answer } from "../../service.ts";
import { noCheckpoint, noRepository } from "../checkpoints/rejections.ts";
import type { EngineContext } from "../context.ts";
import { directoryOf } from "../directory.ts";
import { refuseGated } from "../gate/gated.ts";
import { freshRow } from "../service/create-session.ts";
import type { SessionActor } from "../session/actor.ts";
import { createInWorkspace } from "../workspaces/create-in-workspace.ts";
import { copied } from "./begin-with-past.ts";
import { keep } from "./fork-point.ts";
import { aboutFork, allItems, noEvent } from "./fork-session.ts";

/** What a session was at one moment. */
interface Moment {
  /** Its transcript. */
  readonly items: readonly Item[];
  /** The checkpoint of its files. */
  readonly files: string;
  /** Undefined for the present. */
  readonly at?: string | undefined;
}

/**
 * A session like this one in a worktree of its own, with the files and the transcript of a moment. The agent's own
 * conversation belongs to the old directory, so it gets the transcript with its first prompt instead.
 */
export async function forkIntoWorktree(
  context: EngineContext,
  actor: SessionActor,
  { input, intent }: { input: ForkSession; intent: Intent | undefined },
): Answer<Session> {
  const { deps } = context;
  const { row } = actor.journal;
  if (input.at !== undefined && input.at > row.state.lastSeq) return noEvent(row, input.at);
  const refused = refuseGated(row, "fork");
  if (refused) return refused;
  const directory = await directoryOf(row, deps);
  if (!directory.ok) return directory;
  try {
    const moment = await momentOf(actor, input.at);
    if (!moment.ok) return moment;
    const { items, files, at } = moment.value;
    const { checkpoints, settings, store } = deps;
    const base = await checkpoints.headAt(actor.turns.checkpointer.session, at);
    const { projectDir: cwd } = row.workspace;
    const about = aboutFork(row, input);
    const draft = await freshRow(store, { cwd, workspace: localWorkspace(cwd), about });
    return await createInWorkspace(context, draft, {
      input: { agent: about.agent, cwd, workspace: "worktree", ...(base ? { base } : {}) },
      mode: "worktree",
      intent,
      past: copied(items),
      fill: async (session) => {
        const now = await checkpoints.take(session, settings.checkpointTimeoutMs);
        if (!now) return noRepository(session.cwd);
        return checkpoints.revert(session, { before: files, after: now.commit, now, force: true });
      },
    });
  } catch (error) {
    if (!(error instanceof CheckpointError)) throw error;
    const code = error.reason === "timeout" ? "REQUEST_TIMEOUT" : "UNSUPPORTED";
    return reject(code, `The files could not be copied: ${error.message}; try again`, { what: "fork" });
  }
}

async function momentOf(actor: SessionActor, at: number | undefined): Answer<Moment> {
  const { checkpointer } = actor.turns;
  const { session } = checkpointer;
  const running = actor.journal.state.turn?.id;
  const items = await allItems(actor);
  if (at === undefined && running === undefined) {
    const now = await checkpointer.take(checkpointer.limitMs);
    return now ? ok({ items, files: now.commit }) : noRepository(session.cwd);
  }
  // A turn that is still running is not part of the past.
  const isPast = ({ seq, turnId }: Item) => (at === undefined ? turnId !== running : seq <= at);
  const kept = at === undefined ? items.filter(isPast) : keep(items, at);
  const until = at ?? Number.POSITIVE_INFINITY;
  const known = items.filter(({ seq, turnId }) => turnId !== undefined && seq <= until);
  const turns = [...new Set(known.map(({ turnId = "" }) => turnId))].reverse();
  for (const [index, turnId] of turns.entries()) {
    const ofTurn = items.filter((item) => item.turnId === turnId);
    const isOver = turnId !== running && ofTurn.every((item) => isPast(item) || !isSaid(item));
    const { before = pendingBefore(actor, turnId), after } = await actor.log.deps.checkpoints.ofTurn(
      session,
      turnId,
    );
    // What an earlier turn left is the nearest; of this one, only if it was over by then.
    const files = isOver || index > 0 ? (after ?? before) : before;
    if (files !== undefined) return ok({ items: kept, files, at: (isOver ? ofTurn.at(-1) : ofTurn[0])?.at });
  }
  return noCheckpoint(turns[0] ?? `event ${at}`);
}

/** What a turn changed is known only after its end. */
const isSaid = ({ kind }: Item): boolean => kind !== "changes" && kind !== "notice" && kind !== "tasks";

/** The refs of a running turn may not be written yet. */
function pendingBefore({ journal }: SessionActor, turnId: string): string | undefined {
  const { checkpoint } = journal.row.runtime;
  return checkpoint?.turnId === turnId ? checkpoint.before : undefined;
}
