import type { Virtualizer } from "@tanstack/react-virtual";
import { type RefObject, useEffect, useRef } from "react";
import { type Entry, rowOf } from "./entries.ts";
import { firstRanges } from "./use-found-marks.ts";

/** What to scroll to: the item with this seq, and this text in it. */
export interface Goal {
  readonly seq: number;
  readonly text?: string;
}

interface Target {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly rows: Virtualizer<HTMLElement, Element>;
  readonly entries: readonly Entry[];
  /** A new object is a new request, even for the same seq. */
  readonly target: Goal | undefined;
}

/** Scrolls to the row that contains a seq once the window has it. */
export function useTarget({ scroller, rows, entries, target }: Target): void {
  const shown = useRef<Target["target"]>(undefined);
  useEffect(() => {
    if (!target || shown.current === target) return;
    const { seq, text = "" } = target;
    const index = rowOf(entries, seq);
    if (index < 0) return;
    shown.current = target;
    rows.scrollToIndex(index, { align: "center" });
    // The row may be taller than the view, or the item nested in it: scroll to the item once it is rendered.
    let tries = 0;
    const settle = () => {
      const box = scroller.current;
      const item = box?.querySelector(`[data-seq="${seq}"]`);
      if (box && item) bringIntoView(box, (text && firstRanges(item, text, 1)[0]) || item);
      if (++tries < 8) requestAnimationFrame(settle);
    };
    requestAnimationFrame(settle);
  }, [target, entries, rows, scroller]);
}

function bringIntoView(box: HTMLElement, goal: Element | Range): void {
  const [a, b] = [goal.getBoundingClientRect(), box.getBoundingClientRect()];
  if (a.top >= b.top && a.top < b.bottom - 40) return;
  const above = Math.max(0, (b.height - a.height) / 2);
  box.scrollTop += a.top - b.top - above;
}
