import type { Item } from "@drover/core";
import { mergeItems, type SessionView } from "./view.ts";

/** One page of the log's items, as `GET …/messages` answers. */
export interface Page {
  readonly items: readonly Item[];
  /** Where older items begin. */
  readonly before?: number;
  /** Where newer items begin. */
  readonly after?: number;
}

export const pageItems = 100;

/** What the page keeps of a transcript, however long it is: several screens either way of where somebody reads. */
const maxItems = 600;
/** A single item can hold megabytes; so many characters at most, as long as a few pages stay. */
const maxWeight = 24_000_000;
const leastItems = 2 * pageItems;

type End = "oldest" | "newest";

/** With a page of older items in front; the newest give way. */
export function prepend(view: SessionView, { items, before }: Page): SessionView {
  const joined = mergeItems(current(view, items), view.items);
  return trim({ ...withBefore(view, before), items: joined }, "newest");
}

/**
 * With a page of newer items behind; the oldest give way. `missed` are the items that changed while a page that
 * reaches the end of the log was on its way.
 */
export function append(view: SessionView, page: Page, missed: readonly Item[]): SessionView {
  const joined = mergeItems(view.items, current(view, page.items));
  const newer = page.after !== undefined;
  return trim({ ...view, newer, items: newer ? joined : mergeItems(joined, missed) }, "oldest");
}

/** Another part of the transcript in the place of this one. */
export function replace(view: SessionView, page: Page, missed: readonly Item[]): SessionView {
  const empty = { ...withBefore(view, page.before), items: [] };
  return append(empty, page, missed);
}

/** The window within its bounds: items at one end are forgotten, and paged in again when somebody goes there. */
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

/** Characters in the texts of an item. */
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

/** A page and the fold may be of different moments: what the fold still holds open, only the fold may change. */
const current = ({ timeline }: SessionView, items: readonly Item[]): readonly Item[] =>
  items.map((item) => timeline.open[item.id]?.item ?? item);

function withBefore(view: SessionView, before: number | undefined): SessionView {
  const { before: _, ...rest } = view;
  return before === undefined ? rest : { ...rest, before };
}
