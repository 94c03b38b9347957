import { useEffect, useState } from "react";

/**
 * When the component unmounts, returns focus to the element that had it before, or to its nearest focusable container.
 * Does nothing if focus has moved elsewhere.
 */
export function useFocusBack(): void {
  // During the first render, before anything in the component takes focus.
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
