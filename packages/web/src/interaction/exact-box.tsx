import type { ReactNode } from "react";
import { ScrollBox } from "../ui/scroll-box.tsx";

interface ExactBoxProps {
  /** The size of the content, such as `12 lines`; shown when the content does not fit. */
  readonly size: string;
  readonly className?: string;
  readonly children: ReactNode;
}

/** Text to approve, in full: soft-wrapped, in logical character order, in a scrolling box. */
export function ExactBox({ size, className = "", children }: ExactBoxProps) {
  return (
    <ScrollBox
      className={`in-order goes-on wrap-anywhere max-h-[min(20rem,45dvh)] overflow-auto whitespace-pre-wrap font-mono ${className}`}
      note={<p className="border-line border-t px-2.5 py-1 text-2xs text-muted">Scroll to read all {size}</p>}
    >
      {children}
    </ScrollBox>
  );
}

/** A border for a box that is not part of a larger one. */
export const Frame = ({ children }: { children: ReactNode }) => (
  <div className="min-w-0 overflow-hidden rounded-md border border-line bg-canvas">{children}</div>
);

export const linesSize = (count: number): string => `${count.toLocaleString("en")} lines`;

export function sizeOf(text: string): string {
  const lines = text.split("\n").length;
  return lines > 1 ? linesSize(lines) : `${text.length.toLocaleString("en")} characters`;
}
