import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";

/** So near the end nobody has left it. */
const nearBottom = 32;

interface Boxes {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly content: RefObject<HTMLElement | null>;
  /** False while the content's end is not the transcript's end: there is nothing to follow. */
  readonly enabled: boolean;
}

/** Keeps a scrolling element at its end while its content grows, until somebody scrolls up. */
export function useFollow({ scroller, content, enabled }: Boxes) {
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
    if (box && follow.current && canFollow.current) box.scrollTop = box.scrollHeight;
  }, [scroller]);

  useEffect(() => {
    const box = scroller.current;
    const inner = content.current;
    if (!box || !inner) return;
    let top = box.scrollTop;
    let height = box.scrollHeight;
    const onScroll = () => {
      const isNear = box.scrollHeight - box.scrollTop - box.clientHeight < nearBottom;
      // Away from the end may only mean that content has grown, or was taken away above. Going up is a person's doing.
      const wentUp = box.scrollTop < top && box.scrollHeight >= height;
      if (isNear || wentUp) set(isNear && canFollow.current);
      top = box.scrollTop;
      height = box.scrollHeight;
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
  }, [scroller, content, set, toEnd]);

  // Before anything is painted, and before the browser tells of a scroll that was not a person's.
  useLayoutEffect(toEnd);

  return { following, setFollowing: set };
}
