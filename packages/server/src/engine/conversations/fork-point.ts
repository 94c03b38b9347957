import type { Item } from "@drover/core";
import type { PastItem } from "../../ports.ts";
import { align } from "./align.ts";

/** Where a conversation is cut: which part of the transcript stays, and where its agent ends it. */
export interface ForkPoint {
  readonly items: readonly Item[];
  /** The agent's own marker; none if nothing had been said by then. */
  readonly upTo?: string;
}

export interface Cutting {
  /** The transcript in order. */
  readonly items: readonly Item[];
  readonly past: readonly PastItem[];
  /** A sequence number: the last item that starts at or before it is the last to stay. */
  readonly at: number;
  /** If the agent does not remember that item, or cannot end there, an earlier one will do. */
  readonly orEarlier?: boolean;
}

/**
 * Cuts after the item at a sequence number. The agent may have to keep a little more for a complete conversation, such
 * as other calls made together with the last one: the transcript then keeps that too. Undefined if the agent remembers
 * no such point.
 */
export function forkPoint({ items, past, at, orEarlier = false }: Cutting): ForkPoint | undefined {
  const main = items.filter(({ parentToolCallId }) => parentToolCallId === undefined);
  const places = align(main, past);
  const cutOf = (index: number): string | undefined => past[places[index] ?? -1]?.cut;
  const isSaid = ({ kind, seq }: Item): boolean => seq <= at && kind !== "notice" && kind !== "tasks";
  const last = main.findLastIndex(
    (item, index) => isSaid(item) && (!orEarlier || cutOf(index) !== undefined),
  );
  if (last === -1) return main.some(isSaid) ? undefined : { items: [] };
  const upTo = cutOf(last);
  if (upTo === undefined) return undefined;
  const end = past.findLastIndex(({ cut }) => cut === upTo);
  const lastKept = main.findLast((_, index) => (places[index] ?? Number.POSITIVE_INFINITY) <= end);
  const asked = main.slice(last + 1).some(isSaid) ? 0 : at;
  return { items: keep(items, Math.max(lastKept?.seq ?? 0, asked)), upTo };
}

/** Items that started by a number, and everything done for the calls among them. */
export function keep(items: readonly Item[], until: number): Item[] {
  const calls = new Set<string>();
  return items.filter(({ seq, tool, parentToolCallId }) => {
    const isKept = seq <= until || (parentToolCallId !== undefined && calls.has(parentToolCallId));
    if (isKept && tool) calls.add(tool.toolCallId);
    return isKept;
  });
}
