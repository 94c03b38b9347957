import { useEffect } from "react";
import { createStore, useStore } from "../state/store.ts";

const title = createStore<string | undefined>(undefined);

/** Sets the document's title to something more specific than the title in the table of pages. */
export function usePageTitle(words: string): void {
  useEffect(() => {
    title.set(words);
    return () => title.set(undefined);
  }, [words]);
}

export function useCurrentTitle(): string | undefined {
  return useStore(title, (now) => now);
}
