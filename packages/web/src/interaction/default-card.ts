import { type RefObject, useLayoutEffect } from "react";
import { createStore, useStore } from "../state/store.ts";

/** The first open card, while nothing else takes keys. */
const defaultCard = createStore<Element | undefined>(undefined);
/** Set after someone else settled the card that took the keys: the next key was meant for that one. */
let isHeld = false;

/** Whether no control has focus: focus is on the page, its main part or its heading. */
export const isFocusFree = (): boolean =>
  document.activeElement === document.body ||
  document.activeElement?.matches("main, h1[tabindex='-1']") === true;

function update(): void {
  const first = isHeld || !isFocusFree() ? null : document.querySelector("[data-interaction]");
  defaultCard.set(first ?? undefined);
}

function release(): void {
  isHeld = false;
  update();
}

document.addEventListener("focusin", update);
// During this event, the element still has focus.
document.addEventListener("focusout", () => queueMicrotask(update));
for (const end of ["keyup", "pointerup"]) document.addEventListener(end, release);

/** Keeps the other cards from taking the next key, if it was meant for this one. */
export function holdKeysOf(settled: Element): void {
  if (settled.contains(document.activeElement) || defaultCard.get() === settled) isHeld = true;
}

/** Whether this card takes keys although it does not have focus. */
export function useIsDefaultCard(card: RefObject<HTMLElement | null>): boolean {
  useLayoutEffect(() => {
    update();
    return () => queueMicrotask(update);
  }, []);
  return useStore(defaultCard, (element) => element !== undefined && element === card.current);
}
