import type { Virtualizer } from "@tanstack/react-virtual";
import { type RefObject, useEffect, useRef } from "react";
import { type Entry, rowOf } from "./entries.ts";

interface Target {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly rows: Virtualizer<HTMLElement, Element>;
  readonly entries: readonly Entry[];
  /** A new object is a new wish, even for the same number. */
  readonly target: { readonly seq: number } | undefined;
}

/** Brings the row that holds a number before the reader's eyes, once the window has it. */
export function useTarget({ scroller, rows, entries, target }: Target): void {
  const shown = useRef<Target["target"]>(undefined);
  useEffect(() => {
    if (!target || shown.current === target) return;
    const { seq } = target;
    const index = rowOf(entries, seq);
    if (index < 0) return;
    shown.current = target;
    rows.scrollToIndex(index, { align: "center" });
    // A row taller than the screen, or an item nested in it: the item itself decides, once it is drawn.
    let tries = 0;
    const settle = () => {
      const item = scroller.current?.querySelector(`[data-seq="${seq}"]`);
      if (item && !isSeen(item, scroller.current)) item.scrollIntoView({ block: "center" });
      if (++tries < 8) requestAnimationFrame(settle);
    };
    requestAnimationFrame(settle);
  }, [target, entries, rows, scroller]);
}

function isSeen(item: Element, box: Element | null): boolean {
  const [a, b] = [item.getBoundingClientRect(), box?.getBoundingClientRect()];
  return b !== undefined && a.top >= b.top && a.top < b.bottom - 40;
}
