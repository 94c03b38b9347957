import { useLayoutEffect, useRef } from "react";
import { ShortcutReader } from "./match.ts";
import type { ShortcutId } from "./table.ts";

/** What a shortcut does; the event tells which of several keys it was. Nothing happens where it is left out. */
export type ShortcutHandlers = Readonly<Partial<Record<ShortcutId, (event: KeyboardEvent) => void>>>;

/** Newest last: what is on top of the page takes a key before what lies below it. */
const layers: { readonly current: ShortcutHandlers }[] = [];
const reader = new ShortcutReader();

const handlerOf = (id: ShortcutId) => layers.findLast(({ current }) => current[id])?.current[id];

/** Does what the shortcut does now: for menus, where there are no keys. */
export const perform = (id: ShortcutId): void => handlerOf(id)?.(new KeyboardEvent("keydown"));

/**
 * Keys that choose a word in an input method mean nothing else: no Enter of theirs sends, no Escape closes. Safari tells
 * of the Enter that ends a composition only when it is over, with nothing but its old key code.
 */
document.addEventListener(
  "keydown",
  (event) => {
    if (event.isComposing || event.keyCode === 229) event.stopImmediatePropagation();
  },
  { capture: true },
);

document.addEventListener("keydown", (event) => {
  for (const { id } of reader.read(event)) {
    const act = handlerOf(id);
    if (!act) continue;
    event.preventDefault();
    act(event);
    return;
  }
});

/** Gives shortcuts of the table a meaning while the component is there. */
export function useShortcuts(handlers: ShortcutHandlers): void {
  const latest = useRef(handlers);
  latest.current = handlers;
  // What is seen listens: a key may follow at once.
  useLayoutEffect(() => {
    layers.push(latest);
    return () => {
      layers.splice(layers.indexOf(latest), 1);
    };
  }, []);
}
