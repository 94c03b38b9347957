import type { Virtualizer } from "@tanstack/react-virtual";
import { type RefObject, useEffect, useRef } from "react";
import { type Entry, rowOf } from "./entries.ts";
import { firstRanges } from "./use-found-marks.ts";

/** Where to lead somebody: to the item with this number, in it to these words. */
export interface Goal {
  readonly seq: number;
  readonly words?: string;
}

interface Target {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly rows: Virtualizer<HTMLElement, Element>;
  readonly entries: readonly Entry[];
  /** A new object is a new wish, even for the same number. */
  readonly target: Goal | undefined;
}

/** Brings the row that holds a number before the reader's eyes, once the window has it. */
export function useTarget({ scroller, rows, entries, target }: Target): void {
  const shown = useRef<Target["target"]>(undefined);
  useEffect(() => {
    if (!target || shown.current === target) return;
    const { seq, words = "" } = target;
    const index = rowOf(entries, seq);
    if (index < 0) return;
    shown.current = target;
    rows.scrollToIndex(index, { align: "center" });
    // A row taller than the screen, or an item nested in it: the item itself decides, once it is drawn.
    let tries = 0;
    const settle = () => {
      const box = scroller.current;
      const item = box?.querySelector(`[data-seq="${seq}"]`);
      if (box && item) bringIntoSight(box, (words && firstRanges(item, words, 1)[0]) || item);
      if (++tries < 8) requestAnimationFrame(settle);
    };
    requestAnimationFrame(settle);
  }, [target, entries, rows, scroller]);
}

function bringIntoSight(box: HTMLElement, goal: Element | Range): void {
  const [a, b] = [goal.getBoundingClientRect(), box.getBoundingClientRect()];
  if (a.top >= b.top && a.top < b.bottom - 40) return;
  const above = Math.max(0, (b.height - a.height) / 2);
  box.scrollTop += a.top - b.top - above;
}
