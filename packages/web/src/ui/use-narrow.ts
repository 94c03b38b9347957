import { useSyncExternalStore } from "react";

/** Below Tailwind's `md`, where the list and the page beside it are not seen together. */
const narrow = matchMedia("(width < 48rem)");

const subscribe = (changed: () => void) => {
  narrow.addEventListener("change", changed);
  return () => narrow.removeEventListener("change", changed);
};

/** For what would otherwise stand in the document twice, once out of sight. */
export const useNarrow = (): boolean => useSyncExternalStore(subscribe, () => narrow.matches);
