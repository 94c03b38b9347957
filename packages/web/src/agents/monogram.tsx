import { monogramOf } from "./letters.ts";

export function Monogram({ name, dim }: { name: string; dim?: boolean }) {
  return (
    <span
      aria-hidden="true"
      className={`flex size-9 shrink-0 items-center justify-center rounded-lg border border-line bg-raised font-semibold text-xs tracking-tight ${dim ? "text-faint" : "text-ink"}`}
    >
      {monogramOf(name)}
    </span>
  );
}
