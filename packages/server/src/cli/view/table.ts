import { harmlessLine } from "../terminal/harmless.ts";
import type { Styled } from "../terminal/styled.ts";
import { fitStart } from "../terminal/width.ts";
import type { Writer } from "../terminal/writer.ts";

export interface Table {
  readonly headings: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Styles a finished cell. */
  readonly paint?: (cell: string, column: number) => Styled;
}

/**
 * Prints rows below their headings, columns two spaces apart. On a terminal the last column is cut so that each row
 * stays on one line; otherwise nothing is cut.
 */
export function printTable(output: Writer, { headings, rows, paint = (cell) => cell }: Table): void {
  const cells = rows.map((row) => row.map(harmlessLine));
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...cells.map((row) => row[column]?.length ?? 0)),
  );
  const before = widths.slice(0, -1).reduce((sum, width) => sum + width + 2, 0);
  const room = Math.max(10, output.room - before);
  const last = headings.length - 1;
  const fitted = (row: readonly string[]) =>
    row.map((cell, column) =>
      column < last ? `${cell.padEnd(widths[column] ?? 0)}  ` : fitStart(cell, room),
    );
  output.line(fitted(headings).join("").trimEnd());
  for (const row of cells) output.line(fitted(row).map((cell, column) => paint(cell, column)));
}
