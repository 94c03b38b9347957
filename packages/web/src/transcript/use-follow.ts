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

/** Between a card's head and the upper edge it is led to. */
const margin = 12;

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

  /** Cards that were too tall to be seen whole, each led to once. */
  const headed = useRef(new WeakSet<Element>());
  /** The end is less than half a screen away from such a head: no way worth a button, which would cover the answers. */
  const [isClose, setClose] = useState(false);
  /** The one whose head is kept in sight while what stands before it finds its height, until somebody moves. */
  const held = useRef<HTMLElement>(undefined);
  const toEnd = useCallback(() => {
    const box = scroller.current;
    if (held.current?.isConnected === false) {
      // It is settled, and nobody has moved meanwhile.
      held.current = undefined;
      setClose(false);
      set(true);
    }
    if (!box || !canFollow.current || !(follow.current || held.current)) return;
    // The browser has not reported it yet, but the reader has scrolled up: leave them there.
    if (box.scrollTop < top.current - 1 && !isNearEnd(box)) return;
    const card = follow.current ? tallCard(box) : undefined;
    if (card && !headed.current.has(card)) {
      // What is asked is read from its beginning.
      headed.current.add(card);
      held.current = card;
      set(false);
    }
    if (held.current) {
      box.scrollTop += held.current.getBoundingClientRect().top - box.getBoundingClientRect().top - margin;
      setClose(box.scrollHeight - box.scrollTop < 1.5 * box.clientHeight);
    } else box.scrollTop = box.scrollHeight;
    top.current = box.scrollTop;
  }, [scroller, top, set]);

  useEffect(() => {
    const box = scroller.current;
    const inner = content.current;
    if (!box || !inner) return;
    const onScroll = () => {
      const isNear = isNearEnd(box);
      if (Math.abs(box.scrollTop - top.current) > 1) {
        held.current = undefined;
        setClose(false);
      }
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

  const choose = useCallback(
    (value: boolean) => {
      held.current = undefined;
      setClose(false);
      set(value);
    },
    [set],
  );
  return { following, isClose, setFollowing: choose };
}

/** The first card that asks, when its head and its end cannot be seen together. */
function tallCard(box: HTMLElement): HTMLElement | undefined {
  const card = box.querySelector<HTMLElement>("[data-interaction]");
  return card && card.offsetHeight + margin > box.clientHeight ? card : undefined;
}
