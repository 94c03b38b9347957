import type { Item } from "@drover/core";
import { mergeItems, type SessionView } from "./view.ts";

/** One page of items, as returned by `GET …/messages`. */
export interface Page {
  readonly items: readonly Item[];
  /** The cursor of older items. */
  readonly before?: number;
  /** The cursor of newer items. */
  readonly after?: number;
}

export const pageItems = 100;

/** The size of the window: several screens in both directions. */
const maxItems = 600;
/** A limit in characters, because one item can hold megabytes. A few pages are always kept. */
const maxWeight = 24_000_000;
const leastItems = 2 * pageItems;

type End = "oldest" | "newest";

/** Prepends a page of older items and trims the newest. */
export function prepend(view: SessionView, { items, before }: Page): SessionView {
  const joined = mergeItems(current(view, items), view.items);
  return trim({ ...withBefore(view, before), items: joined }, "newest");
}

/**
 * Appends a page of newer items and trims the oldest. `missed` are the items that changed while a page that reaches
 * the end of the log was loading.
 */
export function append(view: SessionView, page: Page, missed: readonly Item[]): SessionView {
  const joined = mergeItems(view.items, current(view, page.items));
  const newer = page.after !== undefined;
  return trim({ ...view, newer, items: newer ? joined : mergeItems(joined, missed) }, "oldest");
}

/** Replaces the window with another part of the transcript. */
export function replace(view: SessionView, page: Page, missed: readonly Item[]): SessionView {
  const empty = { ...withBefore(view, page.before), items: [] };
  return append(empty, page, missed);
}

/** Trims the window at one end. Trimmed items are loaded again when needed. */
export function trim(view: SessionView, end: End): SessionView {
  const { items } = view;
  const excess = excessOf(items, end);
  if (excess === 0) return view;
  if (end === "newest") return { ...view, items: items.slice(0, -excess), newer: true };
  const kept = items.slice(excess);
  return { ...withBefore(view, kept[0]?.seq), items: kept };
}

function excessOf(items: readonly Item[], end: End): number {
  let excess = Math.max(0, items.length - maxItems);
  let weight = items.reduce((sum, item) => sum + weigh(item), 0);
  while (weight > maxWeight && items.length - excess > leastItems) {
    const item = end === "oldest" ? items[excess] : items[items.length - 1 - excess];
    weight -= item ? weigh(item) : 0;
    excess++;
  }
  return excess;
}

const weights = new WeakMap<Item, number>();

/** The characters of an item. */
function weigh(item: Item): number {
  const weighed = weights.get(item);
  if (weighed !== undefined) return weighed;
  const weight = lengthOf(item.text) + lengthOf(item.tool?.input) + lengthOf(item.tool?.result);
  weights.set(item, weight);
  return weight;
}

function lengthOf(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce<number>((sum, part) => sum + lengthOf(part), 0);
}

/** A page may be older than the fold, so open items are taken from the fold. */
const current = ({ timeline }: SessionView, items: readonly Item[]): readonly Item[] =>
  items.map((item) => timeline.open[item.id]?.item ?? item);

function withBefore(view: SessionView, before: number | undefined): SessionView {
  const { before: _, ...rest } = view;
  return before === undefined ? rest : { ...rest, before };
}
