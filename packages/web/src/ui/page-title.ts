import { useEffect } from "react";
import { createStore, useStore } from "../state/store.ts";

const title = createStore<string | undefined>(undefined);

/** Sets the document's title to something more specific than the title in the table of pages. */
export function usePageTitle(text: string): void {
  useEffect(() => {
    title.set(text);
    return () => title.set(undefined);
  }, [text]);
}

export function useCurrentTitle(): string | undefined {
  return useStore(title, (now) => now);
}
