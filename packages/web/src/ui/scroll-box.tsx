import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from "react";

type ScrollBoxProps = ComponentProps<"pre"> & {
  readonly as?: "pre" | "div" | "dl";
  /** Shown below the box while not everything in it is visible. */
  readonly note?: ReactNode;
};

/** A scrolling box. It can be focused only while its content overflows. */
export function ScrollBox({ as = "pre", note, ...rest }: ScrollBoxProps) {
  // For the types only: the three elements take the same props here.
  const Tag = as as "pre";
  const box = useRef<HTMLPreElement>(null);
  const [scrolls, setScrolls] = useState(false);
  const look = () => setScrolls(box.current !== null && isLargerInside(box.current));
  // Check after every render and whenever the size changes.
  useEffect(look);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `look` reads only the ref
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
