import {
  interactionIn,
  isSignalQuestion,
  type Session,
  type SessionEvent,
  type SessionStateName,
} from "@drover/core";
import type { Announcement, StoredAnnouncement, StoredCommit } from "../../ports.ts";
import type { EngineDeps } from "../deps.ts";
import type { Registry } from "../session/registry.ts";
import { sessionView } from "../session/view.ts";
import type { Rendered } from "./feed.ts";
import type { Reactor } from "./reactors.ts";

export interface AnnouncerParts {
  readonly deps: EngineDeps;
  readonly registry: Registry;
}

const announced = [
  "approval_required",
  "question_prompt",
  "interaction_resolved",
  "interaction_followed_up",
] as const;

/** Announces changes to the session lists and the inbox. */
export class Announcer implements Reactor {
  readonly name = "feed";
  private readonly parts: AnnouncerParts;
  /** The last announcement of each live session. */
  private readonly known = new Map<string, { readonly summary: string; readonly state: SessionStateName }>();

  constructor(parts: AnnouncerParts) {
    this.parts = parts;
  }

  /** Live sessions by state. */
  count(): Partial<Record<SessionStateName, number>> {
    const counts: Partial<Record<SessionStateName, number>> = {};
    for (const { state } of this.known.values()) counts[state] = (counts[state] ?? 0) + 1;
    return counts;
  }

  forget(sessionId: string): void {
    this.known.delete(sessionId);
  }

  async handle({ stream: sessionId, after, seq, removed }: StoredCommit): Promise<readonly Announcement[]> {
    if (removed) return [removal(sessionId)];
    const events = await this.parts.deps.store.eventsOfTypes(sessionId, { after, seq }, announced);
    const interactions = events.flatMap(({ data }) => ofInteraction(JSON.parse(data)));
    return [...interactions, ...(await this.ofSession(sessionId))];
  }

  /** Nothing if only counters changed since the last announcement. */
  async ofSession(sessionId: string): Promise<readonly Announcement[]> {
    const session = await this.view(sessionId);
    if (!session) return [];
    const { lastSeq: _lastSeq, updatedAt: _updatedAt, usage: _usage, ...listed } = session;
    const summary = JSON.stringify(listed);
    if (this.known.get(sessionId)?.summary === summary) return [];
    const actor = await this.parts.registry.get(sessionId);
    if (actor?.isNeeded) this.known.set(sessionId, { summary, state: session.state });
    else this.known.delete(sessionId);
    return [{ type: "session_upserted", sessionId, facts: { session } }];
  }

  /** The entry that clients see. If the log has been pruned, the removal of the session. */
  async render({ type, sessionId, seq, facts }: StoredAnnouncement): Promise<Rendered> {
    if (seq === undefined) return { type, facts: facts ?? {} };
    const { store } = this.parts.deps;
    const [event] = await store.eventsOfTypes(sessionId, { after: seq - 1, seq }, announced);
    if (!event) return removal(sessionId);
    return { type, facts: { interaction: interactionIn(JSON.parse(event.data)) } };
  }

  private async view(sessionId: string): Promise<Session | undefined> {
    const { deps, registry } = this.parts;
    const actor = await registry.get(sessionId);
    if (actor) return actor.view();
    const row = await deps.store.session(sessionId);
    return row && sessionView(deps, row);
  }
}

const removal = (sessionId: string) => ({ type: "session_removed", sessionId, facts: { sessionId } });

function ofInteraction(event: SessionEvent): Announcement[] {
  if (event.type === "approval_required" || event.type === "question_prompt") {
    const { sessionId, id: interactionId, questions } = event;
    const opened = { type: "interaction_opened", sessionId, seq: event.seq };
    if (!isSignalQuestion(event)) return [opened];
    return [opened, { type: "agent:waiting", sessionId, facts: { sessionId, interactionId, questions } }];
  }
  if (event.type === "interaction_followed_up") {
    const { sessionId, interactionId, followUp, by } = event;
    return [{ type: event.type, sessionId, facts: { interactionId, sessionId, followUp, by } }];
  }
  if (event.type !== "interaction_resolved") return [];
  const { sessionId, interactionId, toolCallId, kind, resolution, by, at, reason, scope, cause } = event;
  // The time of the decision, which is earlier than that of its announcement.
  const facts = { interactionId, sessionId, toolCallId, kind, resolution, by, at, reason, scope, cause };
  return [{ type: "interaction_resolved", sessionId, facts }];
}
