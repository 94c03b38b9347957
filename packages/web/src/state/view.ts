import {
  type EventOf,
  evolve,
  extend,
  type History,
  type Interaction,
  type Item,
  type SessionEvent,
  type SessionState,
  type Timeline,
} from "@drover/core";

/** All data of the session on the page: core's two folds, and what they do not keep. */
export interface SessionView {
  readonly state: SessionState;
  readonly timeline: Timeline;
  /** A contiguous window of the transcript, ordered by first event. */
  readonly items: readonly Item[];
  /** The cursor of older items, if there are any. */
  readonly before?: number;
  /** Whether the log has newer items than the window. */
  readonly newer: boolean;
  /** Resolved interactions, oldest first. Core's fold keeps only open ones. */
  readonly settled: readonly Interaction[];
}

/** The view at a history's cursor. */
export function openView(history: History): SessionView {
  const { session, entries, before, cursor, interactions, queue } = history;
  const { turn, lastTurn, reason, model, lock, review } = session;
  const open = entries
    .filter((item) => item.status === "open")
    .map((item) => [item.id, { item, last: cursor, count: cursor - item.seq + 1 }] as const);
  return {
    state: {
      lastSeq: cursor,
      reportedState: session.state,
      queue: queue.messages,
      queuePaused: queue.paused,
      interactions,
      usage: session.usage,
      ...(turn ? { turn: { ...turn, lockedBy: lock?.lockedBy ?? "" } } : {}),
      ...(lastTurn ? { lastTurn } : {}),
      ...(reason ? { reason } : {}),
      ...(model ? { model } : {}),
      ...(review ? { review } : {}),
    },
    timeline: { open: Object.fromEntries(open) },
    items: entries,
    newer: false,
    settled: [],
    ...(before === undefined ? {} : { before }),
  };
}

export interface Folded {
  readonly view: SessionView;
  /** The changed items, in the window or not. */
  readonly changed: readonly Item[];
}

/** Folds events that follow the view's last one without a gap. */
export function fold(view: SessionView, events: readonly SessionEvent[]): Folded {
  let { state, timeline, settled } = view;
  const news = new Map<string, Item>();
  for (const event of events) {
    if (event.type === "interaction_resolved") settled = settle(settled, state, event);
    state = evolve(state, event);
    const step = extend(timeline, event);
    timeline = step.timeline;
    for (const { item } of step.changed) news.set(item.id, item);
  }
  const changed = [...news.values()];
  const items = mergeItems(view.items, view.newer ? known(view.items, changed) : changed);
  return { view: { ...view, state, timeline, items, settled }, changed };
}

function settle(
  settled: readonly Interaction[],
  { interactions }: SessionState,
  event: EventOf<"interaction_resolved">,
): readonly Interaction[] {
  const interaction = interactions.find((i) => i.id === event.interactionId);
  if (!interaction) return settled;
  const { resolution, by, at, reason, scope, answers, cause } = event;
  return [
    ...settled,
    { ...interaction, state: "resolved", resolution, by, at, reason, scope, answers, cause },
  ];
}

const known = (items: readonly Item[], news: readonly Item[]) =>
  news.filter(({ id }) => items.some((item) => item.id === id));

/** Replaces items with newer versions. Most updates concern the last few items, so the search starts there. */
export function mergeItems(items: readonly Item[], news: readonly Item[]): readonly Item[] {
  if (news.length === 0) return items;
  const merged = [...items];
  for (const item of news) {
    const at = merged.findLastIndex((known) => known.id === item.id);
    if (at >= 0) merged[at] = item;
    else merged.splice(merged.findLastIndex((known) => known.seq <= item.seq) + 1, 0, item);
  }
  return merged;
}
