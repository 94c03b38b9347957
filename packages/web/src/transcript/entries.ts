import type { Interaction, Item } from "@drover/core";

/** One line of the transcript: an item with what belongs to it, or a decision that belongs to no item. */
export type Entry = ItemEntry | { readonly type: "decision"; readonly interaction: Interaction };

export interface ItemEntry {
  readonly type: "item";
  readonly item: Item;
  /** What a tool call's own agent did, in order. */
  readonly nested: readonly ItemEntry[];
  /** The question this tool call led to, open or settled. */
  readonly interaction?: Interaction;
}

/** Items as a tree by parent tool call, with decisions beside the calls they are about. */
export function arrange(items: readonly Item[], interactions: readonly Interaction[]): Entry[] {
  const asked = new Map(interactions.map((interaction) => [interaction.toolCallId, interaction]));
  const known = new Set(items.flatMap(({ tool }) => (tool ? [tool.toolCallId] : [])));
  const nested = new Map<string, ItemEntry[]>();
  const top: Entry[] = [];
  for (const item of items) {
    const id = item.tool?.toolCallId;
    const interaction = id === undefined ? undefined : asked.get(id);
    const below: ItemEntry[] = [];
    if (id !== undefined) nested.set(id, below);
    const entry: ItemEntry = {
      type: "item",
      item,
      nested: below,
      ...(interaction ? { interaction } : {}),
    };
    // A parent older than the oldest item here is not shown, but its children still are.
    const parent = item.parentToolCallId;
    (parent === undefined ? top : (nested.get(parent) ?? top)).push(entry);
  }
  const loose = interactions.filter((i) => i.state === "resolved" && !known.has(i.toolCallId));
  for (const interaction of loose) {
    const after = top.findLastIndex((entry) => timeOf(entry) <= interaction.createdAt);
    top.splice(after + 1, 0, { type: "decision", interaction });
  }
  return top;
}

const timeOf = (entry: Entry) => (entry.type === "item" ? entry.item.at : entry.interaction.createdAt);

/** Whether two entries show the same: folding keeps the identity of every item that did not change. */
export function sameEntry(a: ItemEntry, b: ItemEntry): boolean {
  return (
    a.item === b.item &&
    a.interaction === b.interaction &&
    a.nested.length === b.nested.length &&
    a.nested.every((entry, index) => {
      const other = b.nested[index];
      return other !== undefined && sameEntry(entry, other);
    })
  );
}
