import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from "react";

type ScrollBoxProps = ComponentProps<"pre"> & {
  readonly as?: "pre" | "div" | "dl";
  /** Shown below the box while not everything in it is visible. */
  readonly note?: ReactNode;
};

/** A box that may be too small for what is in it. Then keys reach it, to scroll; else they pass it by. */
export function ScrollBox({ as = "pre", note, ...rest }: ScrollBoxProps) {
  // One name for the types' sake: what is asked of the element, every element has.
  const Tag = as as "pre";
  const box = useRef<HTMLPreElement>(null);
  const [scrolls, setScrolls] = useState(false);
  const look = () => setScrolls(box.current !== null && isLargerInside(box.current));
  // Whenever what is in it was drawn anew, and whenever its own size has changed.
  useEffect(look);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it looks at the box as it then is
  useEffect(() => {
    const observer = new ResizeObserver(look);
    if (box.current) observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  return (
    <>
      <Tag ref={box} tabIndex={scrolls ? 0 : undefined} {...rest} />
      {scrolls && note}
    </>
  );
}

const isLargerInside = ({ scrollWidth, clientWidth, scrollHeight, clientHeight }: HTMLElement) =>
  scrollWidth > clientWidth || scrollHeight > clientHeight;
