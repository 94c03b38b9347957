import { createStore, useStore } from "./store.ts";

const read = () => document.hasFocus() && !document.hidden;

/** Whether this tab is visible and has the focus. */
export const lookedAt = createStore(read());

for (const change of ["focus", "blur"]) addEventListener(change, () => lookedAt.set(read()));
document.addEventListener("visibilitychange", () => lookedAt.set(read()));

export const useLookedAt = (): boolean => useStore(lookedAt, (now) => now);
