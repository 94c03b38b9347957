import { ChevronIcon } from "../ui/icons.tsx";

/** Marks a label that opens a menu. */
export function Caret() {
  return (
    <span className="pointer-events-none rotate-90 opacity-70">
      <ChevronIcon size={10} />
    </span>
  );
}
