import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";

/** So near the end nobody has left it. */
const nearBottom = 32;

interface Boxes {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly content: RefObject<HTMLElement | null>;
  /** Where the box was when it was last looked at, or moved by us: above that, a person has moved it. */
  readonly top: RefObject<number>;
  /** False while the content's end is not the transcript's end: there is nothing to follow. */
  readonly enabled: boolean;
}

const isNearEnd = (box: HTMLElement) => box.scrollHeight - box.scrollTop - box.clientHeight < nearBottom;

/** Keeps a scrolling element at its end while its content grows, until somebody scrolls up. */
export function useFollow({ scroller, content, top, enabled }: Boxes) {
  const [following, setFollowing] = useState(true);
  const follow = useRef(true);
  const canFollow = useRef(enabled);
  canFollow.current = enabled;

  const set = useCallback((value: boolean) => {
    follow.current = value;
    setFollowing(value);
  }, []);

  const toEnd = useCallback(() => {
    const box = scroller.current;
    if (!box || !follow.current || !canFollow.current) return;
    // The browser has not yet told of it, but somebody has gone up: not against them.
    if (box.scrollTop < top.current - 1 && !isNearEnd(box)) return;
    box.scrollTop = box.scrollHeight;
    top.current = box.scrollTop;
  }, [scroller, top]);

  useEffect(() => {
    const box = scroller.current;
    const inner = content.current;
    if (!box || !inner) return;
    const onScroll = () => {
      const isNear = isNearEnd(box);
      // Away from the end may only mean that content has grown since.
      if (isNear || box.scrollTop < top.current) set(isNear && canFollow.current);
      top.current = box.scrollTop;
    };
    const observer = new ResizeObserver(toEnd);
    observer.observe(inner);
    observer.observe(box);
    // First of all who listen: another listener may draw at once, and drawing keeps to the end until this says no.
    box.addEventListener("scroll", onScroll, { passive: true, capture: true });
    return () => {
      observer.disconnect();
      box.removeEventListener("scroll", onScroll, { capture: true });
    };
  }, [scroller, content, top, set, toEnd]);

  // Before anything is painted, and before the browser tells of a scroll that was not a person's.
  useLayoutEffect(toEnd);

  return { following, setFollowing: set };
}
