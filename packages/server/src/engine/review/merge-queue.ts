import { type Merged, ok, type Rejection } from "@drover/core";
import type { PendingMerge } from "../../ports.ts";
import type { Answer } from "../../service.ts";
import { refuseRunning } from "../checkpoints/change-files.ts";
import type { EngineContext } from "../context.ts";
import { refuseGated } from "../gate/gated.ts";
import type { SessionActor } from "../session/actor.ts";
import { Mailbox } from "../session/mailbox.ts";
import { runChecks } from "./checks.ts";
import { nothingToMerge, workChanged } from "./decide.ts";
import { forgetMerge, mergeNow } from "./merge-session.ts";
import { continueBegun, refreshOthers } from "./reactor.ts";
import { refresh } from "./refresh.ts";
import { inReview, type Reviewed, reviewedOf, workFor } from "./review-place.ts";

/** How often a merge is checked again because the result has changed meanwhile. */
const maxTries = 3;

/** What a person wants to be merged. */
export type MergeOrder = Omit<PendingMerge, "isQueued" | "position">;

/** Merges into one branch of a repository happen one after another. What waits is on record in its session. */
export class MergeQueue {
  private readonly context: EngineContext;
  private readonly lines = new Map<string, { readonly mailbox: Mailbox; waiting: number }>();
  private readonly recovering = Promise.withResolvers<void>();
  /** Ends the checks that run for a session. */
  private readonly checking = new Map<string, AbortController>();
  /** The last merge into each branch whose other sessions are being refreshed. */
  private readonly moved = new Map<string, Reviewed>();
  private last = 0;

  constructor(context: EngineContext) {
    this.context = context;
  }

  /** Resolves when everything that an earlier server left in line is in line again: nothing may come before it. */
  get ready(): Promise<void> {
    return this.recovering.promise;
  }

  /** Merges at once if nothing comes first; otherwise says that it is waiting. Runs in `inReview`, when `ready`. */
  async merge(reviewed: Reviewed, order: MergeOrder): Answer<Merged> {
    const { checks } = reviewed;
    const { into } = order;
    const position = this.last + 1;
    this.last = position;
    if (checks.length === 0 && !this.lines.has(keyOf(reviewed, into))) {
      const merged = await this.inLine(reviewed, into, () =>
        mergeNow(this.context, reviewed, { ...order, position, isQueued: false }),
      );
      if (merged.ok) this.targetMoved(reviewed, into);
      return merged;
    }
    // Take a place in line before anything else, so that the first request comes first.
    const accepting = Promise.withResolvers<void>();
    this.add(reviewed, into, accepting.promise);
    try {
      return await this.accept(reviewed, { ...order, position, isQueued: true });
    } finally {
      accepting.resolve();
    }
  }

  /** Stores that a merge waits. What is merged later is the work as it is now. */
  private async accept(reviewed: Reviewed, pending: PendingMerge): Answer<Merged> {
    const { actor } = reviewed;
    const { into } = pending;
    const found = await refresh(this.context, reviewed, { isPatient: true });
    if (!found.ok) return found;
    if (found.value.files === 0 && found.value.ahead === 0) return nothingToMerge();
    const wanted = workFor(into, found.value);
    if (pending.wanted !== undefined && pending.wanted !== wanted) return workChanged();
    const review = { ...found.value, state: "merging" as const, into };
    return actor.log.mailbox.run(async () => {
      const refused = refuseRunning(actor, "merge") ?? refuseGated(actor.journal.row, "merge");
      if (refused) return refused;
      await actor.log.commit({
        events: [{ type: "review", ...review, by: pending.by }],
        runtime: { merge: { ...pending, wanted } },
        durability: "command",
      });
      return ok({ into, review });
    });
  }

  /** After a restart: continues with what was waiting, in the order in which people asked. */
  async recover(actors: readonly SessionActor[]): Promise<void> {
    const waiting = actors.flatMap((actor) => {
      const { merge } = actor.journal.row.runtime;
      return merge?.isQueued ? [{ actor, merge }] : [];
    });
    const found = await Promise.all(
      waiting
        .sort((a, b) => a.merge.position - b.merge.position)
        .map(async (each) => ({ ...each, reviewed: await reviewedOf(this.context, each.actor) })),
    );
    for (const { actor, merge, reviewed } of found) {
      this.last = Math.max(this.last, merge.position);
      if (reviewed.ok) this.add(reviewed.value, merge.into, Promise.resolve());
      else this.context.background.run(() => forgetMerge(actor, reviewed.error));
    }
    this.recovering.resolve();
  }

  /** Ends the checks of a session, or of all: the merges they run for are off. */
  cancel(because: Rejection, sessionId?: string): void {
    for (const [id, controller] of this.checking)
      if (sessionId === undefined || id === sessionId) controller.abort(because);
  }

  private add(reviewed: Reviewed, into: string, accepted: Promise<void>): void {
    const { actor } = reviewed;
    this.context.background.run(() =>
      this.inLine(reviewed, into, async () => {
        await accepted;
        for (let tries = maxTries; tries > 0 && (await this.take(actor, tries === 1)) === "again"; )
          tries -= 1;
      }),
    );
  }

  private async inLine<T>(reviewed: Reviewed, into: string, task: () => Promise<T>): Promise<T> {
    const key = keyOf(reviewed, into);
    const line = this.lines.get(key) ?? { mailbox: new Mailbox(), waiting: 0 };
    this.lines.set(key, line);
    line.waiting += 1;
    try {
      return await line.mailbox.run(task);
    } finally {
      line.waiting -= 1;
      if (line.waiting === 0) this.lines.delete(key);
    }
  }

  /** Checks and merges what a session has on record. While checks run, its review can be looked at. */
  private async take(actor: SessionActor, isLast: boolean): Promise<"again" | undefined> {
    const next = await inReview(actor, () => this.prepare(actor));
    if (!next) return undefined;
    const { reviewed, pending } = next;
    const checked = await this.check(reviewed, pending);
    if (checked.result === "over") return undefined;
    return inReview(actor, async () => {
      if (checked.result === "rejected") return forgetMerge(actor, checked.rejection).then(() => undefined);
      const merged = await mergeNow(this.context, reviewed, { ...pending, tree: checked.tree });
      if (merged.ok) {
        this.targetMoved(reviewed, pending.into);
        return undefined;
      }
      const { reason } = merged.error.facts ?? {};
      if (reason === "stale" && !isLast) return "again";
      if (reason !== "unfinished") await forgetMerge(actor, merged.error);
      return undefined;
    });
  }

  /** Merges that follow each other quickly share a refresh of the other sessions, which takes many git commands. */
  private targetMoved(reviewed: Reviewed, into: string): void {
    const key = keyOf(reviewed, into);
    const isRefreshing = this.moved.has(key);
    this.moved.set(key, reviewed);
    if (!isRefreshing) this.context.background.run(() => this.refreshOthers(key));
  }

  private async refreshOthers(key: string): Promise<void> {
    let last = this.moved.get(key);
    for (let merged: Reviewed | undefined; last && last !== merged; last = this.moved.get(key)) {
      merged = last;
      await refreshOthers(this.context, merged.actor);
    }
    this.moved.delete(key);
  }

  /** What is next to be checked; undefined if the merge is off or done. */
  private async prepare(actor: SessionActor) {
    const { stopping } = this.context;
    if (stopping.aborted || !actor.journal.row.runtime.merge) return undefined;
    const found = actor.isBeingDeleted ? undefined : await reviewedOf(this.context, actor);
    if (!found?.ok) return forgetMerge(actor, found?.error).then(() => undefined);
    await continueBegun(this.context, found.value);
    const { merge } = actor.journal.row.runtime;
    const refused = refuseGated(actor.journal.row, "merge again");
    if (merge && !merge.planned && refused) return forgetMerge(actor, refused.error).then(() => undefined);
    // What has begun and can't be finished now is finished when somebody looks at it.
    return merge && !merge.planned ? { reviewed: found.value, pending: merge } : undefined;
  }

  private async check(reviewed: Reviewed, pending: PendingMerge) {
    const { id } = reviewed.actor;
    const controller = new AbortController();
    this.checking.set(id, controller);
    try {
      return await runChecks(this.context, { reviewed, pending, cancelled: controller.signal });
    } finally {
      this.checking.delete(id);
    }
  }
}

const keyOf = ({ place }: Reviewed, into: string): string =>
  `${place.workspace.repository?.gitDirectory ?? place.cwd}\0${into}`;
