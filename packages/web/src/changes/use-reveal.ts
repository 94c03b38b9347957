import { useCallback, useLayoutEffect, useRef } from "react";
import type { OnReveal } from "./hunk-line.tsx";
import type { DiffRow } from "./rows.ts";

/** When the button that revealed the last hidden lines disappears, the first of these lines gets the focus. */
export function useReveal(rows: readonly DiffRow[], reveal: OnReveal) {
  const body = useRef<HTMLDivElement>(null);
  const latest = useRef(reveal);
  latest.current = reveal;
  const first = useRef<number>(undefined);
  const onReveal: OnReveal = useCallback((range) => {
    first.current = range.from;
    return latest.current(range);
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the rows change, the button may be gone
  useLayoutEffect(() => {
    if (first.current === undefined || document.activeElement !== document.body) return;
    const found = body.current?.querySelectorAll<HTMLElement>(`[data-old-line="${first.current}"]`) ?? [];
    [...found].find((button) => button.offsetParent !== null)?.focus({ preventScroll: true });
    first.current = undefined;
  }, [rows]);
  return { body, onReveal };
}
