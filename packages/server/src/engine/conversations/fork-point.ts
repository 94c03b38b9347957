import type { Item } from "@drover/core";
import type { PastItem } from "../../ports.ts";
import { align } from "./align.ts";

/** Where a conversation is cut in two: what stays of its transcript, and where its agent ends it. */
export interface ForkPoint {
  readonly items: readonly Item[];
  /** The agent's own mark; none when nothing had been said by then. */
  readonly upTo?: string;
}

export interface Cutting {
  /** The transcript in its order. */
  readonly items: readonly Item[];
  readonly past: readonly PastItem[];
  /** A number of the transcript: the last item that begins by then is the last to stay. */
  readonly at: number;
  /** When the agent does not remember that item, or cannot end there, an earlier one will do. */
  readonly orEarlier?: boolean;
}

/**
 * Up to and including the item at a number. The agent may have to keep a little more to be left with a whole
 * conversation, such as the other calls made at once with the last one: the transcript then keeps that, too.
 * undefined: the agent has no such point in what it remembers.
 */
export function forkPoint({ items, past, at, orEarlier = false }: Cutting): ForkPoint | undefined {
  const told = items.filter(({ parentToolCallId }) => parentToolCallId === undefined);
  const places = align(told, past);
  const cutOf = (index: number): string | undefined => past[places[index] ?? -1]?.cut;
  const isSaid = ({ kind, seq }: Item): boolean => seq <= at && kind !== "notice" && kind !== "tasks";
  const last = told.findLastIndex(
    (item, index) => isSaid(item) && (!orEarlier || cutOf(index) !== undefined),
  );
  if (last === -1) return told.some(isSaid) ? undefined : { items: [] };
  const upTo = cutOf(last);
  if (upTo === undefined) return undefined;
  const end = past.findLastIndex(({ cut }) => cut === upTo);
  const lastKept = told.findLast((_, index) => (places[index] ?? Number.POSITIVE_INFINITY) <= end);
  const asked = told.slice(last + 1).some(isSaid) ? 0 : at;
  return { items: keep(items, Math.max(lastKept?.seq ?? 0, asked)), upTo };
}

/** What began by a number, and all that was done for the calls among it. */
function keep(items: readonly Item[], until: number): Item[] {
  const calls = new Set<string>();
  return items.filter(({ seq, tool, parentToolCallId }) => {
    const isKept = seq <= until || (parentToolCallId !== undefined && calls.has(parentToolCallId));
    if (isKept && tool) calls.add(tool.toolCallId);
    return isKept;
  });
}
