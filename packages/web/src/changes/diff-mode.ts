import { createStore, useStore } from "../state/store.ts";
import { browserStorage } from "../storage/storage.ts";
import type { DiffMode } from "./layout.ts";

const storageKey = "drover:diff-mode";

const mode = createStore<DiffMode>(browserStorage.read(storageKey) === "split" ? "split" : "unified");

export function chooseMode(chosen: DiffMode): void {
  browserStorage.write(storageKey, chosen);
  mode.set(chosen);
}

/** The layout of diffs, stored in the browser. */
export const useMode = (): DiffMode => useStore(mode, (now) => now);
