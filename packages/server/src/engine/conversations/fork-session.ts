import { type ForkSession, type Item, ok, type Rejection, type Result, reject } from "@drover/core";
import type { NewSession, SessionAbout, SessionRow } from "../../ports.ts";
import type { EngineContext } from "../context.ts";
import { directoryOf } from "../directory.ts";
import { freshRow } from "../service/create-session.ts";
import type { SessionActor } from "../session/actor.ts";
import { unlessFault } from "../unless-fault.ts";
import { type Archive, archiveOf, unknownConversation } from "./adopt.ts";
import { beginWith, copied } from "./begin-with-past.ts";
import { type ForkPoint, forkPoint } from "./fork-point.ts";

/** Items are read in pages: a transcript may be long. */
const pageItems = 1_000;

/**
 * A session like this one that continues from a point of it; this one stays unchanged. Nothing is stored. Runs in the
 * session's mailbox: no turn starts while its conversation is copied.
 */
export async function forkSession(
  context: EngineContext,
  actor: SessionActor,
  input: ForkSession,
): Promise<Result<NewSession, Rejection>> {
  const { row } = actor.journal;
  const archive = await archiveOf(context, row);
  if (!archive) {
    return reject("UNSUPPORTED", `${row.about.agent} cannot fork conversations; start a new session`, {
      what: "fork",
    });
  }
  const directory = await directoryOf(row, context.deps);
  if (!directory.ok) return directory;
  const { lastSeq } = row.state;
  if (input.at !== undefined && input.at > lastSeq) return noEvent(row, input.at);
  const { cwd, workspace } = row;
  const fork = await freshRow(context.deps.store, { cwd, workspace, about: aboutFork(row, input) });
  const { agentSessionId } = row.runtime;
  if (agentSessionId === undefined) return ok({ row: fork });
  return unlessFault(context, "fork", split({ context, actor, archive, fork, agentSessionId, at: input.at }));
}

/** The chosen options are copied; what was allowed for the session is not. */
export const aboutFork = (
  { name, about: { worker: _, ...about } }: SessionRow,
  { title }: ForkSession,
): SessionAbout => ({
  ...about,
  ...{ title: title ?? `${about.title || name} (fork)`, kind: "session", grants: [] },
});

export const noEvent = ({ name, state }: SessionRow, at: number): Result<never, Rejection> =>
  badPoint(`${name} has no event ${at}; its last is ${state.lastSeq}`);

interface Splitting {
  readonly context: EngineContext;
  readonly actor: SessionActor;
  readonly archive: Archive;
  readonly fork: SessionRow;
  readonly agentSessionId: string;
  readonly at: number | undefined;
}

async function split(splitting: Splitting): Promise<Result<NewSession, Rejection>> {
  const { actor, archive, fork, agentSessionId, at } = splitting;
  const { lastSeq, turn } = actor.journal.state;
  const items = await allItems(actor);
  if (at === undefined && !turn) return copy(splitting, { items });
  const { conversations, place } = archive;
  const history = await conversations.history(place, agentSessionId);
  if (!history) return unknownConversation(place.preset.name, agentSessionId);
  const past = history.items;
  // A turn that is still running is not part of the past.
  const ended = items.filter(({ turnId }) => turnId === undefined || turnId !== turn?.id);
  const point =
    at === undefined
      ? forkPoint({ items: ended, past, at: lastSeq, orEarlier: true })
      : forkPoint({ items, past, at });
  if (!point) {
    const what = at === undefined ? "the end of the last turn" : `the event ${at}`;
    return badPoint(
      `${place.preset.name} cannot continue from ${what}: it does not remember that point, or a call made there has no result. Choose another event, or omit \`at\` once no turn is running`,
    );
  }
  return point.upTo === undefined ? ok({ row: fork }) : copy(splitting, point);
}

async function copy(
  { context, actor, archive, fork, agentSessionId }: Splitting,
  { items, upTo }: ForkPoint,
): Promise<Result<NewSession, Rejection>> {
  const { conversations, place } = archive;
  const from = { agentSessionId, title: fork.about.title, ...(upTo === undefined ? {} : { upTo }) };
  const made = await conversations.fork(place, from);
  if (made === undefined) return unknownConversation(place.preset.name, agentSessionId);
  await context.deps.attachments.share(actor.id, fork.id);
  const runtime = { ...fork.runtime, agentSessionId: made };
  return ok(beginWith({ ...fork, runtime }, copied(items)));
}

/** The transcript in order, including open items. */
export async function allItems(actor: SessionActor): Promise<Item[]> {
  const { store } = actor.log.deps;
  const items: Item[] = Object.values(actor.journal.timeline.open).map(({ item }) => item);
  for (let before = actor.journal.state.lastSeq + 1; ; ) {
    const page = await store.items(actor.id, before, pageItems);
    items.push(...page);
    const [first] = page;
    if (!first) return items.sort((a, b) => a.seq - b.seq);
    before = first.seq;
  }
}

const badPoint = (message: string): Result<never, Rejection> =>
  reject("BAD_REQUEST", message, { issues: [{ path: "at", message }] });
