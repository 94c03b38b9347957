import { ok, type PullRequested, type RequestPull, reject } from "@drover/core";
import type { Answer, Caller } from "../../service.ts";
import type { EngineContext } from "../context.ts";
import { refuseGated } from "../gate/gated.ts";
import type { SessionActor } from "../session/actor.ts";
import { merging } from "./decide.ts";
import { refresh } from "./refresh.ts";
import { findReviewed, inReview, type Reviewed } from "./review-place.ts";

/**
 * Pushes the branch of a session, opens a pull request where that is possible, and stores its address. Other requests
 * about the review don't wait for the network.
 */
export async function requestPull(
  context: EngineContext,
  reviewed: Reviewed,
  { input, caller }: { readonly input: RequestPull; readonly caller: Caller },
): Answer<PullRequested> {
  const { deps } = context;
  const { actor, place, target } = reviewed;
  await actor.turns.checkpointer.settled();
  const { row, state } = actor.journal;
  if (state.turn) return locked(state.turn);
  if (row.runtime.merge) return merging();
  const refused = refuseGated(row, "push");
  if (refused) return refused;
  const into = await deps.merges.target(place, target);
  if (!into.ok) return into.error.code === "BAD_REQUEST" ? noTarget() : into;
  const { name, about, runtime } = row;
  const title = input.title ?? (about.title.trim() || name);
  const spec = { ...input, title, name, into: into.value, update: runtime.update };
  const published = await deps.pullRequests.publish(place, spec);
  if (!published.ok) return published;
  return inReview(actor, async () => {
    const again = await findReviewed(context, actor.id);
    if (!again.ok) return again;
    const found = await refresh(context, again.value);
    if (!found.ok) return found;
    const { isOpened, url } = published.value;
    const pull = isOpened && url !== undefined ? { pullRequest: url } : {};
    // A turn may have begun meanwhile: what it changes is not part of the review yet.
    const review = { ...(actor.journal.state.review ?? found.value), ...pull };
    await record(actor, { ...published.value, review }, caller);
    return ok({ ...published.value, review });
  });
}

async function record(
  { log, journal }: SessionActor,
  { review, branch, remote, commit, isOpened, url }: PullRequested,
  { by }: Caller,
): Promise<void> {
  const link = url === undefined ? "" : isOpened ? `; pull request: ${url}` : `; open a pull request: ${url}`;
  const facts = { branch, remote, commit, isOpened, by, ...(url === undefined ? {} : { url }) };
  const notice = {
    type: "notice" as const,
    code: "PUSHED",
    message: `Pushed ${branch} to ${remote}${link}`,
    facts,
  };
  const isNews = review.pullRequest !== journal.state.review?.pullRequest;
  await log.mailbox.run(() =>
    log.commit({
      events: [...(isNews ? [{ type: "review" as const, ...review, by }] : []), notice],
      durability: "command",
    }),
  );
}

function noTarget() {
  const message =
    "The session's base is not a branch, so it is unknown which branch the work belongs to; set the project's `target`";
  return reject("BAD_REQUEST", message, { issues: [{ path: "target", message }] });
}

function locked({
  lockedBy,
  startedAt: lockedAt,
}: {
  readonly lockedBy: string;
  readonly startedAt: string;
}) {
  const message = `${lockedBy} has a turn running; wait for it to end or interrupt it, then push`;
  return reject("SESSION_LOCKED", message, { lockedBy, lockedAt });
}
