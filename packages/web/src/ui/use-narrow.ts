import { useSyncExternalStore } from "react";

/** Below Tailwind's `md`, where the list and the page are not visible together. */
const narrow = matchMedia("(width < 48rem)");

const subscribe = (changed: () => void) => {
  narrow.addEventListener("change", changed);
  return () => narrow.removeEventListener("change", changed);
};

/** For content that would otherwise be in the document twice, once hidden. */
export const useNarrow = (): boolean => useSyncExternalStore(subscribe, () => narrow.matches);
