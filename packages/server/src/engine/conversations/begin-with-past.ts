import { evolve, type Item, type SessionEvent } from "@drover/core";
import type { EncodedEvent, NewSession, PastItem, SessionRow } from "../../ports.ts";
import { newId } from "../ids.ts";

/** An item before it has an id and a number in the log it goes into. */
export type Unnumbered = Omit<Item, "id" | "seq">;

/** A session whose log begins with what was said before it was made: one event for each item, which alone draws it. */
export function beginWith(row: SessionRow, past: readonly Unnumbered[]): NewSession {
  const items: Item[] = [];
  const events: EncodedEvent[] = [];
  let { state } = row;
  for (const told of past) {
    const seq = state.lastSeq + 1;
    const item: Item = { ...told, id: newId("item"), seq };
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

/** What an agent remembers, as items: each of a person's messages began a turn. */
export function remembered(past: readonly PastItem[], fallbackAt: string): Unnumbered[] {
  let turnId = newId("turn");
  return past.map(({ cut: _, at = fallbackAt, ...said }) => {
    if (said.kind === "user") turnId = newId("turn");
    return { ...said, turnId, at, status: said.tool?.status === "running" ? "partial" : "complete" };
  });
}

/** Items of another session: its turns are not this one's. What had not ended there never will here. */
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
