import type { Output } from "../cli.ts";
import { columnsOf } from "./style.ts";

/**
 * Rows under their headings, columns two spaces apart. On a terminal the last column is cut at its width, so that a
 * row stays a row; elsewhere nothing is cut. `paint` colours a finished cell, which must not change its width.
 */
export function table(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  { output, paint = (cell) => cell }: { output: Output; paint?: (cell: string, column: number) => string },
): string {
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const before = widths.slice(0, -1).reduce((sum, width) => sum + width + 2, 0);
  const room = output.isTTY ? Math.max(10, columnsOf(output) - before) : Number.POSITIVE_INFINITY;
  const last = headings.length - 1;
  const line = (cells: readonly string[], painted: boolean) =>
    cells
      .map((cell, column) => {
        const fitted = column < last ? cell.padEnd(widths[column] ?? 0) : fit(cell, room);
        return painted ? paint(fitted, column) : fitted;
      })
      .join("  ")
      .trimEnd();
  return [line(headings, false), ...rows.map((row) => line(row, true)), ""].join("\n");
}

const fit = (cell: string, room: number) => (cell.length <= room ? cell : `${cell.slice(0, room - 1)}…`);
