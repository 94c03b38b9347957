import { elementScroll, useVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useEffect } from "react";
import type { LiveSession } from "../state/live-session.ts";
import type { SessionView } from "../state/view.ts";
import type { Entry } from "./entries.ts";

/** Rows from the window's edge at which the next page is asked for: some screens, so that nobody meets the edge. */
const nearEdge = 15;
const beyondAnyEnd = 1e9;

interface Rows {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly entries: readonly Entry[];
  /** Updated with every scroll that the page itself makes. */
  readonly top: RefObject<number>;
}

/** Draws the rows near the eye only, and keeps what is read in its place. */
export function useRows({ scroller, entries, top }: Rows) {
  const rows = useVirtualizer({
    count: entries.length,
    getScrollElement: () => scroller.current,
    getItemKey: (index) => entries[index]?.key ?? index,
    estimateSize: (index) => estimate(entries[index]),
    overscan: 6,
    scrollToFn: (offset, options, instance) => {
      // Until the box has moved once, the end is only guessed here; whoever follows it knows where it is.
      if (offset >= beyondAnyEnd) return;
      // A correction starts from the last offset the browser reported. Drop it if the user has scrolled since.
      const box = scroller.current;
      if (options.adjustments !== undefined && box && box.scrollTop < top.current - 1) return;
      elementScroll(offset, options, instance);
      top.current = scroller.current?.scrollTop ?? 0;
    },
    // What is read stays where it is when a page comes in front of it.
    anchorTo: "end",
    // A transcript opens at its end.
    initialOffset: beyondAnyEnd,
    paddingStart: 20,
  });
  return { rows, drawn: rows.getVirtualItems() };
}

interface Paging {
  readonly live: LiveSession;
  readonly view: SessionView;
  readonly count: number;
  readonly drawn: readonly { readonly index: number }[];
  /** At the end of enough rows there is nothing older to prepare for. */
  readonly following: boolean;
}

/** Pages the log in as the edges of the window come near. */
export function usePaging({ live, view, count, drawn, following }: Paging): void {
  const first = drawn[0]?.index ?? 0;
  const last = drawn.at(-1)?.index ?? 0;
  const { before, newer } = view;
  useEffect(() => {
    if (count === 0) return;
    const atEnd = following && count > 4 * nearEdge;
    if (before !== undefined && first < nearEdge && !atEnd) void live.loadOlder();
    else if (newer && last > count - nearEdge) void live.loadNewer();
  }, [live, before, newer, first, last, count, following]);
}

const line = 23;
const charactersPerLine = 88;

/** A guess until the row is drawn and measured; the better it is, the steadier the scroll bar. */
function estimate(entry: Entry | undefined): number {
  if (entry?.type !== "item") return 60;
  const { kind, text = "", tool } = entry.item;
  if (kind === "tool") return tool?.kind === "execute" || tool?.kind === "edit" ? 130 : 46;
  if (kind === "thinking") return 36;
  const lines = Math.min(60, Math.ceil(text.length / charactersPerLine) + text.split("\n", 60).length - 1);
  return kind === "user" ? lines * line + 58 : lines * line + 14;
}
