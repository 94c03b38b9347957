import { ChevronIcon } from "../ui/icons.tsx";

/** Says that a word can be changed. */
export function Caret() {
  return (
    <span className="pointer-events-none rotate-90 opacity-70">
      <ChevronIcon size={10} />
    </span>
  );
}
