import { keycaps } from "./table.ts";

/** A shortcut's keys, drawn as keycaps. */
export function Keys({ of }: { of: string }) {
  return (
    <span className="inline-flex items-center gap-0.5">
      {keycaps(of).map((cap, index) => (
        <kbd
          // biome-ignore lint/suspicious/noArrayIndexKey: the keys of a shortcut never move
          key={index}
          className="inline-flex h-4.5 min-w-4.5 items-center justify-center rounded-sm border border-line-strong bg-raised px-1 font-sans text-2xs text-muted"
        >
          {cap}
        </kbd>
      ))}
    </span>
  );
}
