import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from "react";
import { type Block, headerHeight, lastAtOrAbove } from "./layout.ts";

/** In pixels: how far beyond the view lines are rendered, and how often the page is rendered again. */
const ahead = 600;
const step = 200;
/** The space above the first file. */
const margin = 12;

export interface Scroll {
  /** The rendered part, in pixels from the top. */
  readonly view: { readonly from: number; readonly to: number };
  /** The current file. */
  readonly current: number;
  readonly toFile: (index: number) => void;
}

/**
 * The scroll position. The line at the top stays in place when the files above it change their height.
 */
export function useScroll(scroller: RefObject<HTMLElement | null>, blocks: readonly Block[]): Scroll {
  const [seen, setSeen] = useState({ top: 0, height: 0 });
  const [current, setCurrent] = useState(0);
  const anchor = useRef({ path: "", offset: 0 });
  const latest = useRef(blocks);
  /** The file that was scrolled to. It stays current until the user scrolls, even if it cannot reach the top. */
  const chosen = useRef<{ readonly path: string; readonly top: number }>(undefined);

  const look = useCallback(() => {
    const element = scroller.current;
    if (!element) return;
    const { scrollTop, clientHeight } = element;
    const first = firstAt(latest.current, scrollTop);
    const block = latest.current[first];
    if (chosen.current && Math.abs(scrollTop - chosen.current.top) >= 1) chosen.current = undefined;
    const own = latest.current.findIndex(({ file }) => file.path === chosen.current?.path);
    setCurrent(own < 0 ? first : own);
    anchor.current = { path: block?.file.path ?? "", offset: scrollTop - (block?.top ?? 0) };
    const top = Math.floor(scrollTop / step) * step;
    setSeen((known) =>
      known.top === top && known.height === clientHeight ? known : { top, height: clientHeight },
    );
  }, [scroller]);

  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const observer = new ResizeObserver(look);
    observer.observe(element);
    element.addEventListener("scroll", look, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", look);
    };
  }, [scroller, look]);

  useLayoutEffect(() => {
    latest.current = blocks;
    const find = (path: string | undefined) => blocks.find(({ file }) => file.path === path);
    const element = scroller.current;
    const own = find(chosen.current?.path);
    const block = find(anchor.current.path);
    if (own && element) {
      element.scrollTop = own.top + margin;
      chosen.current = { path: own.file.path, top: element.scrollTop };
    } else if (block && element && anchor.current.offset + block.top > 0) {
      const top = block.top + Math.min(anchor.current.offset, block.height - headerHeight);
      if (Math.abs(element.scrollTop - top) >= 1) element.scrollTop = top;
    }
    look();
  }, [blocks, scroller, look]);

  const toFile = useCallback(
    (index: number) => {
      const block = latest.current[index];
      const element = scroller.current;
      if (!block || !element) return;
      element.scrollTop = block.top + margin;
      chosen.current = { path: block.file.path, top: element.scrollTop };
      look();
    },
    [scroller, look],
  );
  const view = { from: seen.top - ahead, to: seen.top + step + seen.height + ahead };
  return { view, current, toFile };
}

const firstAt = (blocks: readonly Block[], top: number): number =>
  lastAtOrAbove(blocks.length, top, (index) => blocks[index]?.top ?? 0);
