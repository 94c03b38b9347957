import { type RefObject, useCallback, useEffect, useRef, useState } from "react";

const nearBottom = 48;

/** Keeps a scrolling element at its end while its content grows, until somebody scrolls up. */
export function useFollow(scroller: RefObject<HTMLElement | null>, content: RefObject<HTMLElement | null>) {
  const [following, setFollowing] = useState(true);
  const follow = useRef(true);

  const jump = useCallback(() => {
    follow.current = true;
    setFollowing(true);
    scroller.current?.scrollTo({ top: scroller.current.scrollHeight });
  }, [scroller]);

  useEffect(() => {
    const box = scroller.current;
    const inner = content.current;
    if (!box || !inner) return;
    let top = box.scrollTop;
    const onScroll = () => {
      const isNear = box.scrollHeight - box.scrollTop - box.clientHeight < nearBottom;
      // Away from the end may only mean that content has grown since; going up is a person's doing.
      if (isNear || box.scrollTop < top) {
        follow.current = isNear;
        setFollowing(isNear);
      }
      top = box.scrollTop;
    };
    const onGrowth = () => {
      if (follow.current) box.scrollTop = box.scrollHeight;
    };
    const observer = new ResizeObserver(onGrowth);
    observer.observe(inner);
    observer.observe(box);
    box.addEventListener("scroll", onScroll, { passive: true });
    return () => {
      observer.disconnect();
      box.removeEventListener("scroll", onScroll);
    };
  }, [scroller, content]);

  return { following, jump };
}
