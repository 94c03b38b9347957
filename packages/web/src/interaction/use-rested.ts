import { useLayoutEffect, useState } from "react";

/** Quicker than anybody sees that something else stands there now, slower than the second stroke of a double press. */
const restMs = 350;
/** A card that comes so soon after another one left stands where that one was meant to be answered. */
const successionMs = 2_000;

/** The card that gets the focus in this moment without a person's doing. */
let given: HTMLElement | undefined;

/** Focuses a card that the person has not chosen. */
export function focusUnchosen(card: HTMLElement | null | undefined, how?: FocusOptions): void {
  given = card ?? undefined;
  card?.focus(how);
  given = undefined;
}

/** While a card gets the focus: whether somebody has gone there, and so means it with the next key. */
export const isChosen = (card: HTMLElement): boolean => card !== given;

/** When a card last left the page. */
let leftAt = Number.NEGATIVE_INFINITY;
const cards = new Set<() => void>();

/** Until when a card that is there since `since` rests. */
function restsUntil(since: number): number {
  return Math.max(leftAt, since - leftAt < successionMs ? since : Number.NEGATIVE_INFINITY) + restMs;
}

/**
 * False for a moment after one card gave way to another: a press that was meant for the one that left must not answer
 * the one that now lies under the finger.
 */
export function useRested(): boolean {
  const [since] = useState(() => performance.now());
  const [rested, setRested] = useState(() => since >= restsUntil(since));
  // Before anything that is pressed next is heard.
  useLayoutEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const look = () => {
      clearTimeout(timer);
      const left = restsUntil(since) - performance.now();
      setRested(left <= 0);
      if (left > 0) timer = setTimeout(look, left);
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
