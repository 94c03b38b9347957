import type { Item } from "@drover/core";
import { useCallback, useMemo, useRef, useState } from "react";
import { itemContains } from "../format/item-text.ts";
import type { LiveSession } from "../state/live-session.ts";
import type { SessionView } from "../state/view.ts";
import type { Page } from "../state/window.ts";

export type FindDirection = "older" | "newer";

export interface Find {
  readonly query: string;
  /** Items in the window that match. */
  readonly count: number;
  /** The position of the current match, where the newest is 1. */
  readonly position: number | undefined;
  /** The log has items outside the window, which may match too. */
  readonly more: boolean;
  readonly searching: boolean;
  /** No further match in this direction, or the log could not be read to its end. */
  readonly exhausted: FindDirection | "unread" | undefined;
  readonly setQuery: (query: string) => void;
  readonly go: (direction: FindDirection) => Promise<void>;
  readonly stop: () => void;
}

interface Where {
  readonly live: LiveSession;
  readonly view: SessionView;
  readonly onFound: (seq: number, words: string) => void;
}

/** Searches the transcript: first the window, then the log page by page. */
export function useFind({ live, view, onFound }: Where): Find {
  const [query, setQueryText] = useState("");
  const [at, setAt] = useState<number>();
  const [searching, setSearching] = useState(false);
  const [exhausted, setExhausted] = useState<Find["exhausted"]>();
  /** Incremented by everything that makes a running search obsolete. */
  const run = useRef(0);
  const needle = query.trim().toLowerCase();
  const found = useMemo(
    () => (needle === "" ? [] : view.items.filter((item) => itemContains(item, needle))),
    [view.items, needle],
  );

  const show = useCallback(
    ({ seq }: Item, words: string) => {
      setAt(seq);
      onFound(seq, words);
    },
    [onFound],
  );

  const setQuery = (text: string) => {
    run.current++;
    setQueryText(text);
    setSearching(false);
    setExhausted(undefined);
    const words = text.trim().toLowerCase();
    const newest = words === "" ? undefined : view.items.findLast((item) => itemContains(item, words));
    if (newest) show(newest, words);
    else setAt(undefined);
  };

  const go = async (direction: FindDirection) => {
    if (needle === "") return;
    const mine = ++run.current;
    setExhausted(undefined);
    setSearching(true);
    const next = await search(live, { needle, from: at, direction, isWanted: () => run.current === mine });
    if (run.current !== mine) return;
    setSearching(false);
    if (next === "unread") return setExhausted("unread");
    if (!next) return setExhausted(direction);
    await live.showAround(next.seq);
    show(next, needle);
  };

  const position = at === undefined ? -1 : found.findIndex(({ seq }) => seq === at);
  return {
    query,
    count: found.length,
    position: position < 0 ? undefined : found.length - position,
    more: view.before !== undefined || view.newer,
    searching,
    exhausted,
    setQuery,
    go,
    stop: () => setQuery(""),
  };
}

interface Search {
  readonly needle: string;
  readonly from: number | undefined;
  readonly direction: FindDirection;
  readonly isWanted: () => boolean;
}

type Outcome = Item | "unread" | undefined;

async function search(live: LiveSession, wanted: Search): Promise<Outcome> {
  const state = live.state.get();
  if (state.phase !== "ready") return undefined;
  const { items, before, newer } = state.view;
  const here = pick(items, wanted);
  if (here) return here;
  if (wanted.direction === "older")
    return before === undefined ? undefined : searchOlder(live, wanted, before);
  return newer ? searchNewer(live, wanted, items.at(-1)?.seq ?? 0) : undefined;
}

function pick(items: readonly Item[], { needle, from, direction }: Search): Item | undefined {
  return direction === "older"
    ? items.findLast((item) => item.seq < (from ?? Infinity) && itemContains(item, needle))
    : items.find((item) => item.seq > (from ?? 0) && itemContains(item, needle));
}

async function searchOlder(live: LiveSession, wanted: Search, begin: number): Promise<Outcome> {
  for (let before: number | undefined = begin; before !== undefined && wanted.isWanted(); ) {
    const page: Page | undefined = await live.peek({ before });
    if (!page) return "unread";
    const found = pick(page.items, wanted);
    if (found) return found;
    before = page.before;
  }
  return undefined;
}

async function searchNewer(live: LiveSession, wanted: Search, begin: number): Promise<Outcome> {
  for (let after: number | undefined = begin; after !== undefined && wanted.isWanted(); ) {
    const page: Page | undefined = await live.peek({ after });
    if (!page) return "unread";
    const found = pick(page.items, wanted);
    if (found) return found;
    after = page.after;
  }
  return undefined;
}
