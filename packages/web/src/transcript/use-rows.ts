import { elementScroll, useVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useEffect } from "react";
import type { LiveSession } from "../state/live-session.ts";
import type { SessionView } from "../state/view.ts";
import type { Entry } from "./entries.ts";

/** The next page is fetched this many rows before the edge of the window, so that the user never reaches it. */
const nearEdge = 15;
const beyondAnyEnd = 1e9;

interface Rows {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly entries: readonly Entry[];
  /** Updated with every scroll that the page makes. */
  readonly top: RefObject<number>;
}

/** Renders only the rows near the view, and keeps visible rows in place. */
export function useRows({ scroller, entries, top }: Rows) {
  const rows = useVirtualizer({
    count: entries.length,
    getScrollElement: () => scroller.current,
    getItemKey: (index) => entries[index]?.key ?? index,
    estimateSize: (index) => estimate(entries[index]),
    overscan: 6,
    scrollToFn: (offset, options, instance) => {
      // The first offset is only an estimate of the end; `useFollow` scrolls there.
      if (offset >= beyondAnyEnd) return;
      // A correction starts from the last offset the browser reported. Drop it if the user has scrolled since.
      const box = scroller.current;
      if (options.adjustments !== undefined && box && box.scrollTop < top.current - 1) return;
      elementScroll(offset, options, instance);
      top.current = scroller.current?.scrollTop ?? 0;
    },
    // Visible rows stay in place when a page is prepended.
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
  /** At the end of enough rows, no older page is needed. */
  readonly following: boolean;
}

/** Loads pages of the log as the view nears the edges of the window. */
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

/** An estimate until the row is measured. The better it is, the steadier the scroll bar. */
function estimate(entry: Entry | undefined): number {
  if (entry?.type !== "item") return 60;
  const { kind, text = "", tool } = entry.item;
  if (kind === "tool") return tool?.kind === "execute" || tool?.kind === "edit" ? 130 : 46;
  if (kind === "thinking" || kind === "changes") return 36;
  const lines = Math.min(60, Math.ceil(text.length / charactersPerLine) + text.split("\n", 60).length - 1);
  return kind === "user" ? Math.min(lines, 13) * line + 58 : lines * line + 14;
}
