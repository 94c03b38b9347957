import type { SessionRow } from "../../ports.ts";
import { type ActorContext, SessionActor } from "./actor.ts";

/** Unused sessions that stay in memory, because the next request is often for the same one. */
const keptIdle = 64;

/** A caller that just got an actor is about to use it: it may be dropped only after this long. */
const keptMs = 60_000;

/** Finds the one actor of a session, loading it if needed: memory grows with live sessions, not with stored ones. */
export class Registry {
  private readonly actors = new Map<string, Promise<SessionActor>>();
  private readonly touched = new Map<string, number>();
  private readonly context: ActorContext;
  private isEvicting = false;

  constructor(context: ActorContext) {
    this.context = context;
  }

  async find(idOrName: string): Promise<SessionActor | undefined> {
    const known = this.actors.get(idOrName);
    if (known) {
      this.touched.set(idOrName, performance.now());
      return known;
    }
    const row = await this.context.deps.store.session(idOrName);
    return row && this.actor(row);
  }

  actor(row: SessionRow): Promise<SessionActor> {
    this.touched.set(row.id, performance.now());
    let actor = this.actors.get(row.id);
    if (!actor) {
      actor = SessionActor.load(this.context, row);
      this.actors.set(row.id, actor);
      actor.catch(() => this.forget(row.id));
      void this.evict();
    }
    return actor;
  }

  /** Actors in memory now, except those that failed to load, whose callers got the error. */
  async loaded(): Promise<SessionActor[]> {
    const loading = await Promise.allSettled(this.actors.values());
    return loading.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  }

  /** A session as it is now, without loading what only its actor needs. */
  async row(idOrName: string): Promise<SessionRow | undefined> {
    return (await this.actors.get(idOrName))?.journal.row ?? this.context.deps.store.session(idOrName);
  }

  get(sessionId: string): Promise<SessionActor> | undefined {
    return this.actors.get(sessionId);
  }

  forget(sessionId: string): void {
    this.actors.delete(sessionId);
    this.touched.delete(sessionId);
  }

  /** One walk at a time: otherwise a thousand sessions loaded at once would each start one. */
  private async evict(): Promise<void> {
    if (this.isEvicting || this.actors.size <= keptIdle) return;
    this.isEvicting = true;
    await this.walk().finally(() => {
      this.isEvicting = false;
    });
  }

  private async walk(): Promise<void> {
    for (const [id, loading] of this.actors) {
      if (this.actors.size <= keptIdle) return;
      const actor = await loading.catch(() => undefined);
      if (!actor || !this.isIdle(actor)) continue;
      await actor.log.mailbox.drain();
      if (this.isIdle(actor) && this.actors.get(id) === loading) this.forget(id);
    }
  }

  private isIdle(actor: SessionActor): boolean {
    return !actor.isNeeded && performance.now() - (this.touched.get(actor.id) ?? 0) >= keptMs;
  }
}
