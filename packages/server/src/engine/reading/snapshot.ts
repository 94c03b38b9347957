import { type Item, ok, type Session, type Snapshot } from "@drover/core";
import type { SessionRow } from "../../ports.ts";
import type { Answer } from "../../service.ts";
import { withRemainingTime } from "../alarms/alarms-for.ts";
import type { EngineContext } from "../context.ts";
import { notFound } from "../not-found.ts";
import type { SessionActor } from "../session/actor.ts";
import { sessionView } from "../session/view.ts";
import { pageBefore } from "./item-pages.ts";

/** Items in a snapshot; older ones are read page by page. */
const snapshotItems = 200;

/**
 * A session at one number. A session at rest is read from the store without loading its actor: browsing old sessions,
 * no matter how many, takes no memory.
 */
export async function takeSnapshot(context: EngineContext, idOrName: string): Answer<Snapshot> {
  const { deps, registry } = context;
  const row = registry.get(idOrName) ? undefined : await deps.store.session(idOrName);
  if (row && rests(row) && !registry.get(row.id)) {
    return ok(await snapshotOf(context, { row, session: sessionView(deps, row), open: [] }));
  }
  const actor = await registry.find(idOrName);
  if (!actor || actor.isBeingDeleted) return notFound("session", idOrName);
  // The mailbox prevents changes while the parts of the snapshot are assembled.
  return actor.log.mailbox.run(async () => {
    const { row } = actor.journal;
    return ok(await snapshotOf(context, { row, session: actor.view(), open: openItems(actor) }));
  });
}

export const openItems = (actor: SessionActor | undefined): Item[] =>
  Object.values(actor?.journal.timeline.open ?? {}).map((entry) => entry.item);

export const queueOf = ({ state }: SessionRow): Snapshot["queue"] => ({
  paused: state.queuePaused,
  messages: state.queue,
});

/** Nothing runs, waits or is open: anything new comes after its last number. */
const rests = ({ live, openFrom, state }: SessionRow): boolean => !live && openFrom > state.lastSeq;

interface Moment {
  readonly row: SessionRow;
  readonly session: Session;
  readonly open: readonly Item[];
}

async function snapshotOf(
  { deps, alarms }: EngineContext,
  { row, session, open }: Moment,
): Promise<Snapshot> {
  const { id, name, state } = row;
  const page = { before: state.lastSeq + 1, limit: snapshotItems };
  const reading = { store: deps.store, sessionId: id, open };
  return {
    seq: state.lastSeq,
    session,
    ...(await pageBefore(reading, page)),
    interactions: state.interactions.map((one) => ({ ...withRemainingTime(alarms, one), sessionName: name })),
    queue: queueOf(row),
  };
}
