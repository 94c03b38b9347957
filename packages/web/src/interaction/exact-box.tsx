import type { ReactNode } from "react";
import { ScrollBox } from "../ui/scroll-box.tsx";

interface ExactBoxProps {
  /** How much it holds, such as `12 lines`: said when not all of it fits. */
  readonly size: string;
  readonly className?: string;
  readonly children: ReactNode;
}

/** Text to approve, all of it: soft-wrapped, in the order its characters are stored in, in a box that scrolls. */
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

/** The frame of a box that stands alone. */
export const Frame = ({ children }: { children: ReactNode }) => (
  <div className="min-w-0 overflow-hidden rounded-md border border-line bg-canvas">{children}</div>
);

export const linesSize = (count: number): string => `${count.toLocaleString("en")} lines`;

export function sizeOf(text: string): string {
  const lines = text.split("\n").length;
  return lines > 1 ? linesSize(lines) : `${text.length.toLocaleString("en")} characters`;
}
