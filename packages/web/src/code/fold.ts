import type { DiffLine } from "../format/line-diff.ts";

/** Unchanged lines kept around a change. */
const context = 3;

export type DiffRow = DiffLine | { readonly sign: "…"; readonly text: string };

/** Replaces unchanged lines away from any change with their count. */
export function fold(lines: readonly DiffLine[]): DiffRow[] {
  const near = new Uint8Array(lines.length);
  for (const [at, { sign }] of lines.entries()) {
    if (sign !== " ") near.fill(1, Math.max(0, at - context), at + context + 1);
  }
  const rows: DiffRow[] = [];
  let skipped = 0;
  const noteSkipped = () => {
    if (skipped > 0) rows.push({ sign: "…", text: `${skipped} unchanged lines` });
    skipped = 0;
  };
  for (const [at, line] of lines.entries()) {
    if (!near[at]) {
      skipped++;
      continue;
    }
    noteSkipped();
    rows.push(line);
  }
  noteSkipped();
  return rows;
}
