import type { ComponentProps } from "react";
import { ChevronIcon } from "./icons.tsx";

/** A styled select. */
export function Select({ className = "", ...rest }: ComponentProps<"select">) {
  return (
    <div className="relative min-w-0">
      <select className={`field truncate appearance-none pr-7 ${className}`} {...rest} />
      <span className="pointer-events-none absolute inset-y-0 right-2 flex items-center text-muted">
        <span className="rotate-90">
          <ChevronIcon size={13} />
        </span>
      </span>
    </div>
  );
}
