import { type RefObject, useLayoutEffect, useState } from "react";
import type { Measures } from "./layout.ts";

/**
 * How many columns fit on a line, and how high it is, measured on an invisible line. `probe` is the code of that line
 * and contains a hundred characters.
 */
export function useMeasures(probe: RefObject<HTMLElement | null>): Measures | undefined {
  const [measures, setMeasures] = useState<Measures>();
  useLayoutEffect(() => {
    const element = probe.current;
    const letters = element?.firstElementChild;
    if (!element || !letters) return;
    const measure = () => {
      const { paddingLeft, paddingRight } = getComputedStyle(element);
      const width = element.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
      const { width: hundred, height: lineHeight } = letters.getBoundingClientRect();
      if (hundred === 0) return;
      const columns = Math.max(10, Math.floor(width / (hundred / 100)));
      setMeasures((known) =>
        known?.columns === columns && known.lineHeight === lineHeight ? known : { columns, lineHeight },
      );
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    observer.observe(letters);
    return () => observer.disconnect();
  }, [probe]);
  return measures;
}
