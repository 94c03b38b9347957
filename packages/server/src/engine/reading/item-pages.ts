import type { Item } from "@drover/core";
import type { Sessions } from "../../ports.ts";

interface Reading {
  readonly store: Pick<Sessions, "items" | "itemsAfter">;
  readonly sessionId: string;
  readonly open: readonly Item[];
}

/**
 * One page in the order in which items started: an open item may be older than many closed ones. `before` is set if and
 * only if there are older items.
 */
export async function pageBefore(
  { store, sessionId, open }: Reading,
  page: { before: number; limit: number },
): Promise<{ items: Item[]; before?: number }> {
  const closed = await store.items(sessionId, page.before, page.limit);
  const [oldest] = closed;
  const hasOlder = oldest !== undefined && (await store.items(sessionId, oldest.seq, 1)).length > 0;
  // Open items older than a page that is not the last come with the next one.
  const from = hasOlder ? oldest.seq : 0;
  const missing = missingIn(closed, open).filter(({ seq }) => seq < page.before && seq > from);
  const all = [...closed, ...missing].sort((a, b) => a.seq - b.seq);
  const items = all.slice(-page.limit);
  const first = items[0]?.seq;
  const isPart = hasOlder || all.length > items.length;
  return { items, ...(isPart && first !== undefined ? { before: first } : {}) };
}

/** The page after a number. If there may be more, it says where the next one starts. */
export async function pageAfter(
  { store, sessionId, open }: Reading,
  page: { after: number; limit: number },
): Promise<{ items: Item[]; after?: number }> {
  const closed = await store.itemsAfter(sessionId, page.after, page.limit);
  const newest = closed.at(-1);
  const hasNewer = newest !== undefined && (await store.itemsAfter(sessionId, newest.seq, 1)).length > 0;
  const to = hasNewer ? newest.seq : Number.POSITIVE_INFINITY;
  const missing = missingIn(closed, open).filter(({ seq }) => seq > page.after && seq < to);
  const items = [...closed, ...missing].sort((a, b) => a.seq - b.seq).slice(0, page.limit);
  const last = items.at(-1)?.seq;
  const isPart = hasNewer || items.length === page.limit;
  return { items, ...(isPart && last !== undefined ? { after: last } : {}) };
}

/** Open when it was checked and closed when the page was read: the page has it. */
const missingIn = (closed: readonly Item[], open: readonly Item[]): Item[] =>
  open.filter((item) => !closed.some(({ id }) => id === item.id));
