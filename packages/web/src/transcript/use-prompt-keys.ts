import type { Virtualizer } from "@tanstack/react-virtual";
import { useShortcuts } from "../keyboard/use-shortcuts.ts";
import type { Entry } from "./entries.ts";

interface PromptKeys {
  readonly rows: Virtualizer<HTMLElement, Element>;
  readonly entries: readonly Entry[];
  readonly setFollowing: (following: boolean) => void;
}

/** Space between the upper edge and a prompt that is scrolled to. */
const margin = 8;

/** Keys that scroll to the next or previous prompt. */
export function usePromptKeys({ rows, entries, setFollowing }: PromptKeys): void {
  const scrollTo = (isWanted: (distance: number) => boolean, direction: "next" | "previous") => {
    const top = rows.scrollElement?.scrollTop ?? 0;
    const isPrompt = ({ index, start }: { index: number; start: number }) => {
      const entry = entries[index];
      return entry?.type === "item" && entry.item.kind === "user" && isWanted(start - margin - top);
    };
    const all = rows.measurementsCache;
    const found = direction === "next" ? all.find(isPrompt) : all.findLast(isPrompt);
    if (!found) return;
    setFollowing(false);
    rows.scrollToOffset(found.start - margin);
  };
  useShortcuts({
    "previous-prompt": () => scrollTo((distance) => distance < -1, "previous"),
    "next-prompt": () => scrollTo((distance) => distance > 1, "next"),
  });
}
