import { type Merged, ok } from "@drover/core";
import type { PendingMerge } from "../../ports.ts";
import type { Answer } from "../../service.ts";
import type { EngineContext } from "../context.ts";
import type { SessionActor } from "../session/actor.ts";
import { Mailbox } from "../session/mailbox.ts";
import { runChecks } from "./checks.ts";
import { forgetMerge, mergeNow, settleMerge } from "./merge-session.ts";
import { inReview, noReview, type Reviewed, reviewedOf } from "./review-place.ts";

/** How often a merge is checked again because the result has changed meanwhile. */
const maxTries = 3;

/** Merges into one branch of a repository happen one after another. What waits is on record in its session. */
export class MergeQueue {
  private readonly context: EngineContext;
  private readonly queues = new Map<string, { readonly mailbox: Mailbox; waiting: number }>();

  constructor(context: EngineContext) {
    this.context = context;
  }

  /** Merges at once if nothing comes first; otherwise says that it is waiting. Runs in `inReview`. */
  async merge(reviewed: Reviewed, pending: Omit<PendingMerge, "isQueued">): Answer<Merged> {
    const { actor, checks } = reviewed;
    if (checks.length === 0 && !this.queues.has(keyOf(reviewed, pending.into))) {
      return this.inOrder(reviewed, pending.into, () =>
        mergeNow(this.context, reviewed, { ...pending, isQueued: false }),
      );
    }
    const review = {
      ...(actor.journal.state.review ?? noReview),
      state: "merging" as const,
      into: pending.into,
    };
    await actor.log.mailbox.run(() =>
      actor.log.commit({
        events: [{ type: "review", ...review, by: pending.by }],
        runtime: { merge: { ...pending, isQueued: true } },
        durability: "command",
      }),
    );
    this.add(reviewed, pending.into);
    return ok({ into: pending.into, review });
  }

  /** After a restart: continues with what was waiting, in the order in which people asked. */
  async recover(actors: readonly SessionActor[]): Promise<void> {
    const waiting = actors.flatMap((actor) => {
      const { merge } = actor.journal.row.runtime;
      return merge ? [{ actor, merge }] : [];
    });
    for (const { actor, merge } of waiting.sort((a, b) => (a.merge.at < b.merge.at ? -1 : 1))) {
      const found = await reviewedOf(this.context, actor);
      if (found.ok) this.add(found.value, merge.into);
      else this.context.deps.logger.warn("A merge can't continue", { session: actor.id, ...found.error });
    }
  }

  private add({ actor, ...reviewed }: Reviewed, into: string): void {
    this.context.background.run(() =>
      this.inOrder({ actor, ...reviewed }, into, () => inReview(actor, () => this.take(actor))),
    );
  }

  private async inOrder<T>(reviewed: Reviewed, into: string, task: () => Promise<T>): Promise<T> {
    const key = keyOf(reviewed, into);
    const queue = this.queues.get(key) ?? { mailbox: new Mailbox(), waiting: 0 };
    this.queues.set(key, queue);
    queue.waiting += 1;
    try {
      return await queue.mailbox.run(task);
    } finally {
      queue.waiting -= 1;
      if (queue.waiting === 0) this.queues.delete(key);
    }
  }

  /** Merges what a session has on record. */
  private async take(actor: SessionActor): Promise<void> {
    const pending = actor.journal.row.runtime.merge;
    if (!pending || actor.isBeingDeleted) return;
    const found = await reviewedOf(this.context, actor);
    if (!found.ok) return;
    const { planned } = pending;
    if (planned && (await settleMerge(this.context, found.value, { ...pending, planned }))) return;
    if (!pending.isQueued) return;
    const { planned: _, ...again } = pending;
    for (let tries = maxTries; tries > 0; tries -= 1) {
      const checked = await runChecks(this.context, found.value, again);
      if (checked.result === "failed") return;
      if (checked.result === "rejected") return forgetMerge(found.value, checked.rejection);
      const merged = await mergeNow(this.context, found.value, { ...again, tree: checked.tree });
      if (merged.ok) return;
      const isStale = merged.error.facts?.["reason"] === "stale";
      if (!isStale || tries === 1) return forgetMerge(found.value, merged.error);
    }
  }
}

const keyOf = ({ place }: Reviewed, into: string): string =>
  `${place.workspace.repository?.gitDirectory ?? place.cwd}\0${into}`;
