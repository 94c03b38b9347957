import { useEffect, useState } from "react";

/**
 * Gives the focus back to what had it before this appeared, or to what that stood in: keys and screen readers go on
 * where they were. Whoever moved the focus elsewhere meanwhile keeps it.
 */
export function useFocusBack(): void {
  // While it is drawn first, before anything in it takes the focus.
  const [before] = useState(() => {
    const had = document.activeElement;
    return [had, had?.parentElement?.closest("[tabindex]")];
  });
  useEffect(
    () => () => {
      if (document.activeElement !== document.body) return;
      const there = before.find((element) => element?.isConnected);
      if (there instanceof HTMLElement) there.focus({ preventScroll: true });
    },
    [before],
  );
}
