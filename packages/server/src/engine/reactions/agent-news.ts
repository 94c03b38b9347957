import type { Connection, StartFailure, StopReason } from "@drover/core";
import type { Listeners } from "../listeners.ts";
import type { Registry } from "../session/registry.ts";
import type { WorkerSlots } from "../workers/slots.ts";
import type { Announcer } from "./announcer.ts";
import type { Feed } from "./feed.ts";

interface AgentNewsParts {
  readonly registry: Registry;
  readonly feed: Feed;
  readonly announcer: Announcer;
  readonly startFailures: Listeners<StartFailure>;
  /** Of workers, which wait until others' processes have ended. */
  readonly slots: WorkerSlots;
}

/** Tells clients what happens to the processes of agents. None of it is part of a session's log. */
export class AgentNews {
  private readonly parts: AgentNewsParts;

  constructor(parts: AgentNewsParts) {
    this.parts = parts;
  }

  async status(sessionId: string, connection: Connection): Promise<void> {
    const { registry, feed, announcer, slots } = this.parts;
    slots.grant();
    const actor = await registry.get(sessionId);
    if (!actor) return;
    const { agent } = actor.journal.row.about;
    const { status, attempt, gaveUp, nextTryAt } = connection;
    const optional = { ...(gaveUp ? { gaveUp } : {}), ...(nextTryAt ? { nextTryAt } : {}) };
    const facts = { agent, cliType: agent, sessionId, status, attempt, ...optional };
    feed.publish({ type: "agent:status", sessionId, facts });
    for (const announcement of await announcer.ofSession(sessionId)) feed.publish(announcement);
  }

  async spawned(sessionId: string, pid: number): Promise<void> {
    const { registry, feed } = this.parts;
    const actor = await registry.get(sessionId);
    if (!actor) return;
    const { name, runtime } = actor.journal.row;
    feed.publish({ type: "agent:spawned", sessionId, facts: { sessionId, name, run: runtime.run, pid } });
  }

  async stopped(sessionId: string, reason: StopReason): Promise<void> {
    const { registry, feed } = this.parts;
    const actor = await registry.get(sessionId);
    const publish = (why: StopReason) =>
      feed.publish({ type: "agent:stopped", sessionId, facts: { sessionId, reason: why } });
    if (actor) actor.turns.work.stopped(reason, publish);
    else publish(reason);
  }

  async startFailed(sessionId: string, why: Pick<StartFailure, "code" | "message">): Promise<void> {
    const { registry, startFailures } = this.parts;
    const actor = await registry.get(sessionId);
    if (!actor) return;
    startFailures.emit({ ...why, sessionId, cliType: actor.journal.row.about.agent });
  }
}
