import type { Interaction, Item } from "@drover/core";
import type { ReactNode } from "react";

/** One row of the transcript. `key` stays the same while the row grows, closes or gets its parent. */
export type Entry = ItemEntry | InsideEntry | DecisionEntry;

export interface ItemEntry {
  readonly type: "item";
  readonly key: string;
  readonly item: Item;
  /** What a sub-agent did in this tool call, in order. */
  readonly nested: readonly ItemEntry[];
  /** The question this tool call led to, open or settled. */
  readonly interaction?: Interaction;
}

/** Props of the view of an item. */
export interface ItemProps {
  readonly entry: ItemEntry;
  /** The rendered nested entries. */
  readonly children: ReactNode;
}

/** What a sub-agent did, when its tool call is older than the window. */
export interface InsideEntry {
  readonly type: "inside";
  readonly key: string;
  readonly nested: readonly ItemEntry[];
}

/** A decision about a call that is not in the window. */
export interface DecisionEntry {
  readonly type: "decision";
  readonly key: string;
  readonly interaction: Interaction;
}

/** Items as a tree by parent tool call, with decisions next to their calls. */
export function arrange(items: readonly Item[], interactions: readonly Interaction[]): Entry[] {
  const asked = new Map(interactions.map((interaction) => [interaction.toolCallId, interaction]));
  const known = new Set<string>();
  const nested = new Map<string, ItemEntry[]>();
  const top: Entry[] = [];
  for (const item of items) {
    const id = item.tool?.toolCallId;
    const interaction = id === undefined ? undefined : asked.get(id);
    const below: ItemEntry[] = [];
    if (id !== undefined) {
      known.add(id);
      nested.set(id, below);
    }
    const entry: ItemEntry = {
      type: "item",
      key: item.id,
      item,
      nested: below,
      ...(interaction ? { interaction } : {}),
    };
    const parent = item.parentToolCallId;
    if (item.kind === "changes") placeAtEndOfTurn(entry, top);
    else if (parent === undefined) top.push(entry);
    else placeInside(parent, entry, { nested, top });
  }
  placeLoose(top, interactions, known);
  return top;
}

/** The changes of a turn are known a moment after its end, when the next turn may have begun. */
function placeAtEndOfTurn(entry: ItemEntry, top: Entry[]): void {
  const { turnId } = entry.item;
  const last = top.findLastIndex((other) => other.type === "item" && other.item.turnId === turnId);
  top.splice(last < 0 ? top.length : last + 1, 0, entry);
}

interface Placed {
  readonly nested: Map<string, ItemEntry[]>;
  readonly top: Entry[];
}

function placeInside(parent: string, entry: ItemEntry, { nested, top }: Placed): void {
  const siblings = nested.get(parent);
  if (siblings) {
    siblings.push(entry);
    return;
  }
  const inside = [entry];
  nested.set(parent, inside);
  // Uses the parent's key, so that the row stays the same once the parent is loaded.
  top.push({ type: "inside", key: parent, nested: inside });
}

/**
 * Places decisions about calls outside the window at the time they were made. Decisions older than the window are left
 * out.
 */
function placeLoose(top: Entry[], interactions: readonly Interaction[], known: ReadonlySet<string>): void {
  const begin = timeOf(top[0]);
  for (const interaction of interactions) {
    if (interaction.state !== "resolved" || known.has(interaction.toolCallId)) continue;
    const decidedAt = interaction.at ?? interaction.createdAt;
    if (begin !== undefined && decidedAt < begin) continue;
    const after = top.findLastIndex((entry) => (timeOf(entry) ?? "") <= decidedAt);
    top.splice(after + 1, 0, { type: "decision", key: interaction.id, interaction });
  }
}

function timeOf(entry: Entry | undefined): string | undefined {
  if (entry?.type === "decision") return entry.interaction.at ?? entry.interaction.createdAt;
  return entry?.type === "item" ? entry.item.at : entry?.nested[0]?.item.at;
}

/** The seq of an entry's first event. A decision has none. */
export function seqOf(entry: Entry): number | undefined {
  if (entry.type === "item") return entry.item.seq;
  return entry.type === "inside" ? entry.nested[0]?.item.seq : undefined;
}

/** The row that contains this seq, or else the last one that starts before it. */
export function rowOf(entries: readonly Entry[], seq: number): number {
  const holds = entries.findIndex((entry) => entry.type !== "decision" && holdsSeq(entry, seq));
  return holds >= 0 ? holds : entries.findLastIndex((entry) => (seqOf(entry) ?? Infinity) <= seq);
}

export function holdsSeq(entry: ItemEntry | InsideEntry, seq: number): boolean {
  if (entry.type === "item" && entry.item.seq === seq) return true;
  return entry.nested.some((child) => holdsSeq(child, seq));
}

/** Whether two entries look the same. Unchanged items keep their identity. */
export function sameEntry(a: Entry, b: Entry): boolean {
  if (a.type === "decision") return b.type === "decision" && a.interaction === b.interaction;
  if (b.type === "decision") return false;
  if (a.type === "item" && b.type === "item" && (a.item !== b.item || a.interaction !== b.interaction)) {
    return false;
  }
  return (
    a.type === b.type &&
    a.nested.length === b.nested.length &&
    a.nested.every((entry, index) => {
      const other = b.nested[index];
      return other !== undefined && sameEntry(entry, other);
    })
  );
}
