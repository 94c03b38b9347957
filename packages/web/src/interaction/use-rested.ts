import { useLayoutEffect, useState } from "react";

/** Longer than the gap of a double press, shorter than the time to notice that the card has changed. */
const restMs = 350;
/** A card that appears this soon after another one left is taken to replace it. */
const successionMs = 2_000;

/** The card that the page itself is focusing right now. */
let focusing: HTMLElement | undefined;

/** Focuses a card on behalf of the page, not of the person. */
export function focusUnchosen(card: HTMLElement | null | undefined, how?: FocusOptions): void {
  focusing = card ?? undefined;
  card?.focus(how);
  focusing = undefined;
}

/** During a focus event: whether the person moved focus here, so that the next key is meant for this card. */
export const isChosen = (card: HTMLElement): boolean => card !== focusing;

/** When a card was last removed from the page. */
let leftAt = Number.NEGATIVE_INFINITY;
const cards = new Set<() => void>();

/** When a card that appeared at `since` starts taking answers. */
function restsUntil(since: number): number {
  return Math.max(leftAt, since - leftAt < successionMs ? since : Number.NEGATIVE_INFINITY) + restMs;
}

/**
 * False for a moment after one card replaced another, so that a press meant for the old card does not answer the new one.
 */
export function useRested(): boolean {
  const [since] = useState(() => performance.now());
  const [rested, setRested] = useState(() => since >= restsUntil(since));
  // In a layout effect, so that it runs before the next key or click is handled.
  useLayoutEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const look = () => {
      clearTimeout(timer);
      const remaining = restsUntil(since) - performance.now();
      setRested(remaining <= 0);
      if (remaining > 0) timer = setTimeout(look, remaining);
    };
    cards.add(look);
    look();
    return () => {
      clearTimeout(timer);
      cards.delete(look);
      leftAt = performance.now();
      for (const other of cards) other();
    };
  }, [since]);
  return rested;
}
