import type { Item } from "@drover/core";

/**
 * One page in the order items began: one that is still open may be older than many that have closed. `closed` is read
 * with one more than the page holds, so that `before` is said exactly when there are older ones.
 */
export function pageBefore(
  closed: readonly Item[],
  open: readonly Item[],
  page: { before: number; limit: number },
): { items: Item[]; before?: number } {
  // Open when it was looked at and closed when the page was read: the page has it.
  const missing = open.filter((item) => item.seq < page.before && !closed.some(({ id }) => id === item.id));
  const all = [...closed, ...missing].sort((a, b) => a.seq - b.seq);
  const items = all.slice(-page.limit);
  const first = items[0]?.seq;
  return { items, ...(all.length > items.length && first !== undefined ? { before: first } : {}) };
}

/** The page after a number, likewise. Full, it says where the next one goes on. */
export function pageAfter(
  closed: readonly Item[],
  open: readonly Item[],
  page: { after: number; limit: number },
): { items: Item[]; after?: number } {
  const missing = open.filter((item) => item.seq > page.after && !closed.some(({ id }) => id === item.id));
  const items = [...closed, ...missing].sort((a, b) => a.seq - b.seq).slice(0, page.limit);
  const last = items.at(-1)?.seq;
  return { items, ...(items.length === page.limit && last !== undefined ? { after: last } : {}) };
}
