import { useEffect, useRef } from "react";

/** Ctrl-F, on a Mac Command-F. Pressed a second time, in our own field, it is the browser's again. */
export function useFindKey(onFind: () => void): void {
  const latest = useRef(onFind);
  latest.current = onFind;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isFind = event.key.toLowerCase() === "f" && (event.ctrlKey || event.metaKey);
      if (!isFind || event.altKey || event.shiftKey) return;
      if (document.activeElement?.closest("search") || document.querySelector("dialog:modal")) return;
      event.preventDefault();
      latest.current();
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, []);
}
