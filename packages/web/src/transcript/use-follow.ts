import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";

/** Closer to the end than this counts as at the end. */
const nearBottom = 32;

interface Boxes {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly content: RefObject<HTMLElement | null>;
  /** The last known scroll position. Anything above it means that the user has scrolled. */
  readonly top: RefObject<number>;
  /** False while the content does not reach the end of the transcript. */
  readonly enabled: boolean;
}

/** Space above a card's head when it is scrolled to the top. */
const margin = 12;

const isNearEnd = (box: HTMLElement) => box.scrollHeight - box.scrollTop - box.clientHeight < nearBottom;

/** Keeps a scrolling element at its end while its content grows, until the user scrolls up. */
export function useFollow({ scroller, content, top, enabled }: Boxes) {
  const [following, setFollowing] = useState(true);
  const follow = useRef(true);
  const canFollow = useRef(enabled);
  canFollow.current = enabled;

  const set = useCallback((value: boolean) => {
    follow.current = value;
    setFollowing(value);
  }, []);

  /** Cards taller than the view that have been scrolled to; each is scrolled to once. */
  const headed = useRef(new WeakSet<Element>());
  /** The end is less than half a screen below such a card's head, so no button is needed. */
  const [isClose, setClose] = useState(false);
  /** The card whose head stays in view while the rows above it are measured, until the user scrolls. */
  const held = useRef<HTMLElement>(undefined);
  const toEnd = useCallback(() => {
    const box = scroller.current;
    if (held.current?.isConnected === false) {
      // It is settled, and the user has not scrolled since.
      held.current = undefined;
      setClose(false);
      set(true);
    }
    if (!box || !canFollow.current || !(follow.current || held.current)) return;
    // The user has scrolled up, but the scroll event is still to come.
    if (box.scrollTop < top.current - 1 && !isNearEnd(box)) return;
    const card = follow.current ? tallCard(box) : undefined;
    if (card && !headed.current.has(card)) {
      // A request is read from its beginning.
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
      // Not being near the end may only mean that the content has grown.
      if (isNear || box.scrollTop < top.current) set(isNear && canFollow.current);
      top.current = box.scrollTop;
    };
    const observer = new ResizeObserver(toEnd);
    observer.observe(inner);
    observer.observe(box);
    // Captures, to run before listeners that render at once: rendering follows the end until this says otherwise.
    box.addEventListener("scroll", onScroll, { passive: true, capture: true });
    return () => {
      observer.disconnect();
      box.removeEventListener("scroll", onScroll, { capture: true });
    };
  }, [scroller, content, top, set, toEnd]);

  // Before paint, and before the browser reports a scroll that the user did not make.
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

/** The first interaction card, if it is taller than the view. */
function tallCard(box: HTMLElement): HTMLElement | undefined {
  const card = box.querySelector<HTMLElement>("[data-interaction]");
  return card && card.offsetHeight + margin > box.clientHeight ? card : undefined;
}
