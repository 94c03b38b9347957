import type { LineComment } from "./comments.ts";
import type { FileLayout } from "./layout.ts";

/** Comments by the line they appear below; -1 for those whose line is no longer shown. */
export type Placement = ReadonlyMap<number, readonly LineComment[]>;

export function placeComments(comments: readonly LineComment[], layout: Omit<FileLayout, "tops">): Placement {
  const placed = new Map<number, LineComment[]>();
  for (const comment of comments) {
    const at = lineOf(comment, layout);
    placed.set(at, [...(placed.get(at) ?? []), comment]);
  }
  return placed;
}

function lineOf({ side, line }: LineComment, { rows, split }: Omit<FileLayout, "tops">): number {
  const row = rows.findIndex((each) =>
    side === "old"
      ? each.kind === "removed" && each.old === line
      : each.kind !== "removed" && each.now === line,
  );
  if (row < 0 || !split) return row;
  return split.findIndex(({ left, right }) => (side === "old" ? left : right) === row);
}
