import { useEffect } from "react";
import { createStore, useStore } from "../state/store.ts";

const title = createStore<string | undefined>(undefined);

/** Names what the page shows in the document's title, in place of the title that the table has for the page. */
export function usePageTitle(words: string): void {
  useEffect(() => {
    title.set(words);
    return () => title.set(undefined);
  }, [words]);
}

export function useCurrentTitle(): string | undefined {
  return useStore(title, (now) => now);
}
