import type { ChangedFile } from "@drover/core";

/** Lines added and removed. */
export function Counts({ added, removed, binary }: Pick<ChangedFile, "added" | "removed" | "binary">) {
  if (binary) return <span className="shrink-0 text-2xs text-faint">binary</span>;
  return (
    <span className="shrink-0 whitespace-nowrap font-mono text-2xs tabular-nums">
      {added > 0 && <span className="text-good">+{added.toLocaleString("en")}</span>}
      {added > 0 && removed > 0 && " "}
      {removed > 0 && <span className="text-bad">−{removed.toLocaleString("en")}</span>}
    </span>
  );
}
