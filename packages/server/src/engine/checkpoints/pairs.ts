import { type ChangesQuery, ok, reject } from "@drover/core";
import type { CheckpointPair, SessionRow } from "../../ports.ts";
import type { Answer } from "../../service.ts";
import type { EngineContext } from "../context.ts";
import { directoryOf } from "../directory.ts";
import { notFound } from "../not-found.ts";
import type { SessionActor } from "../session/actor.ts";
import { allSkipped, noCheckpoint, noRepository, notComparable } from "./rejections.ts";

/** The checkpoints that a query compares. Those of the present are taken for it. */
export async function checkpointsOf(
  context: EngineContext,
  actor: SessionActor,
  query: ChangesQuery,
): Answer<CheckpointPair> {
  const { turn, against, with: other } = query;
  if (other !== undefined && (turn ?? against) !== undefined) {
    const message = "`with` compares two sessions as they are now; omit `turn` and `against`";
    return reject("BAD_REQUEST", message, { issues: [{ path: "with", message }] });
  }
  await actor.turns.checkpointer.settled();
  if (other !== undefined) return betweenSessions(context, actor, other);
  return turn === undefined ? sinceBeginning(actor, against) : aroundTurn(actor, turn);
}

/** From the work of another session to the work of this one. Their checkpoints are in the repository they share. */
async function betweenSessions(
  { deps, registry }: EngineContext,
  actor: SessionActor,
  idOrName: string,
): Answer<CheckpointPair> {
  const other = await registry.find(idOrName);
  if (!other || other.isBeingDeleted) return notFound("session", idOrName);
  const [row, otherRow] = [actor.journal.row, other.journal.row];
  const repository = row.workspace.repository?.gitDirectory;
  if (repository === undefined || repository !== otherRow.workspace.repository?.gitDirectory)
    return notComparable(row.name, otherRow.name);
  const cwd = await directoryOf(otherRow, deps);
  if (!cwd.ok) return cwd;
  await other.turns.checkpointer.settled();
  const before = await workOf(other);
  if (!before.ok) return before;
  const after = await workOf(actor);
  return after.ok ? ok({ before: before.value, after: after.value }) : after;
}

/** A running turn is compared with the present. */
async function aroundTurn(actor: SessionActor, turn: string): Answer<CheckpointPair> {
  const { checkpointer } = actor.turns;
  const { row } = actor.journal;
  const found = await actor.log.deps.checkpoints.ofTurn(checkpointer.session, turn);
  const { before = pendingOf(row, turn) } = found;
  if (before === undefined) return noCheckpoint(turn);
  const isRunning = turn === row.state.turn?.id;
  const after = isRunning ? await presentOf(actor) : found.after;
  return after === undefined ? noCheckpoint(turn) : ok({ before, after });
}

/** From the beginning of the session or, with `base`, of its branch if it has its own. */
async function sinceBeginning(actor: SessionActor, against: ChangesQuery["against"]): Answer<CheckpointPair> {
  const { session } = actor.turns.checkpointer;
  const { row } = actor.journal;
  const base = against === "base" ? row.workspace.base?.commit : undefined;
  const first = base ?? (await actor.log.deps.checkpoints.first(session)) ?? pendingOf(row);
  const present = await presentOf(actor);
  if (present === undefined) return noRepository(session.cwd);
  const work = base === undefined ? ok(present) : await workOf(actor);
  if (!work.ok) return work;
  const after = work.value;
  const hasBegun = row.state.turn !== undefined || row.state.lastTurn !== undefined;
  const before = first ?? (hasBegun ? undefined : after);
  return before === undefined ? allSkipped() : ok({ before, after });
}

const presentOf = async ({ turns: { checkpointer } }: SessionActor): Promise<string | undefined> =>
  (await checkpointer.take(checkpointer.limitMs))?.commit;

/**
 * What a merge would bring: also files that no checkpoint has, such as ignored ones that were committed. A checkpoint as
 * long as there can be no commit, and so no merge.
 */
async function workOf(actor: SessionActor): Answer<string> {
  const { row } = actor.journal;
  const place = { workspace: row.workspace, cwd: actor.turns.checkpointer.session.cwd };
  const work = await actor.log.deps.merges.work(place, row.runtime.update);
  if (work.ok || work.error.code !== "COMMIT_REFUSED") return work;
  const present = await presentOf(actor);
  return present === undefined ? noRepository(place.cwd) : ok(present);
}

/** The refs of a running turn may not be written yet. */
const pendingOf = ({ runtime: { checkpoint } }: SessionRow, turn?: string): string | undefined =>
  turn === undefined || checkpoint?.turnId === turn ? checkpoint?.before : undefined;
