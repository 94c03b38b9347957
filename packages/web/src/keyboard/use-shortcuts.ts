import { useLayoutEffect, useRef } from "react";
import { ShortcutReader } from "./match.ts";
import type { ShortcutId } from "./table.ts";

/** What each shortcut does. The event tells which of several keys was pressed. */
export type ShortcutHandlers = Readonly<Partial<Record<ShortcutId, (event: KeyboardEvent) => void>>>;

/** Newest last: components mounted later handle a key first. */
const layers: { readonly current: ShortcutHandlers }[] = [];
const reader = new ShortcutReader();

const handlerOf = (id: ShortcutId) => layers.findLast(({ current }) => current[id])?.current[id];

/** Runs a shortcut's current action, for menus. */
export const perform = (id: ShortcutId): void => handlerOf(id)?.(new KeyboardEvent("keydown"));

/**
 * Ignores keys that belong to an input method, so that Enter does not send and Escape does not close. Safari reports the
 * Enter that ends a composition after the composition, recognizable only by key code 229.
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

/** Handles these shortcuts while the component is mounted. */
export function useShortcuts(handlers: ShortcutHandlers): void {
  const latest = useRef(handlers);
  latest.current = handlers;
  // In a layout effect: a key may be pressed as soon as the component is visible.
  useLayoutEffect(() => {
    layers.push(latest);
    return () => {
      layers.splice(layers.indexOf(latest), 1);
    };
  }, []);
}
