import { emptyTimeline, evolve, extend, type Item, type SessionEvent } from "@drover/core";
import type { EncodedEvent, NewSession, PastItem, SessionRow, WorkspaceNotice } from "../../ports.ts";
import { newId } from "../ids.ts";

/** An item before it has an id and a number in its log. */
export type Unnumbered = Omit<Item, "id" | "seq">;

/** A session whose log starts with an earlier transcript: one event per item, which is enough to draw it. */
export function beginWith(row: SessionRow, past: readonly Unnumbered[]): NewSession {
  const items: Item[] = [];
  const events: EncodedEvent[] = [];
  let { state } = row;
  for (const pastItem of past) {
    const seq = state.lastSeq + 1;
    const item: Item = { ...pastItem, id: newId("item"), seq };
    const turn = item.turnId ? { turnId: item.turnId } : {};
    const event: SessionEvent = {
      ...{ type: "item", seq, from: seq, at: item.at, sessionId: row.id },
      ...turn,
      item,
    };
    items.push(item);
    events.push({ from: seq, seq, type: "item", data: JSON.stringify(event) });
    state = evolve(state, event);
  }
  return { row: { ...row, state, openFrom: state.lastSeq + 1 }, events, items };
}

/** Adds what people should know about its workspace to the log of a new session. */
export function withNotices(created: NewSession, notices: readonly WorkspaceNotice[]): NewSession {
  const { row } = created;
  const items = [...(created.items ?? [])];
  const events = [...(created.events ?? [])];
  let { state } = row;
  for (const { code, message, facts } of notices) {
    const seq = state.lastSeq + 1;
    const envelope = { seq, from: seq, at: row.createdAt, sessionId: row.id };
    const event: SessionEvent = { type: "notice", ...envelope, code, message, facts: { ...facts } };
    events.push({ from: seq, seq, type: "notice", data: JSON.stringify(event) });
    items.push(...extend(emptyTimeline, event).changed.map(({ item }) => item));
    state = evolve(state, event);
  }
  return { row: { ...row, state, openFrom: state.lastSeq + 1 }, events, items };
}

/** The agent's memory as items: each message of a person starts a turn. */
export function remembered(past: readonly PastItem[], fallbackAt: string): Unnumbered[] {
  let turnId = newId("turn");
  return past.map(({ cut: _, at = fallbackAt, ...said }) => {
    if (said.kind === "user") turnId = newId("turn");
    return { ...said, turnId, at, status: said.tool?.status === "running" ? "partial" : "complete" };
  });
}

/** Items of another session, without its turns. Anything still open there stays unfinished here. */
export function copied(items: readonly Item[]): Unnumbered[] {
  const turns = new Map<string, string>();
  const turnOf = (turnId: string): string => {
    const turn = turns.get(turnId) ?? newId("turn");
    turns.set(turnId, turn);
    return turn;
  };
  return items.map(({ id: _id, seq: _seq, turnId, status, ...said }) => ({
    ...said,
    status: status === "open" ? "partial" : status,
    ...(turnId === undefined ? {} : { turnId: turnOf(turnId) }),
  }));
}
