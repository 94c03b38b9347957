import type { DiffRow } from "./rows.ts";

/** Collects the hunks of a file exactly as git wrote them, so that a single one can be applied in reverse. */
export class Patches {
  private readonly head: string[];
  private readonly hunks: { readonly at: number; readonly lines: string[] }[] = [];
  private isWhole = true;

  constructor(head: string) {
    this.head = [head];
  }

  header(line: string): void {
    if (line.startsWith("--- ") || line.startsWith("+++ ")) this.head.push(line);
    // Half of a rename, or of a change of type, can't be taken back.
    else if (!line.startsWith("index ")) this.isWhole = false;
  }

  /** A hunk begins; its first line becomes row `at`. */
  open(line: string, at: number): void {
    this.hunks.push({ at, lines: [line] });
  }

  line(line: string): void {
    this.hunks.at(-1)?.lines.push(line);
  }

  /** Gives every hunk a header with its patch. A file with one hunk needs none: it is taken back as a whole. */
  addTo(rows: DiffRow[]): void {
    if (!this.isWhole || this.hunks.length < 2) return;
    for (const { at, lines } of this.hunks.toReversed()) {
      const patch = `${[...this.head, ...lines].join("\n")}\n`;
      const above = rows[at - 1];
      if (above?.hunk) rows[at - 1] = { ...above, hunk: { ...above.hunk, patch } };
      // Nothing is hidden above the first lines of a file.
      else rows.splice(at, 0, headOf({ id: -1 - at, from: 1, to: 0, shift: 0, patch }));
    }
  }
}

const headOf = (hunk: NonNullable<DiffRow["hunk"]>): DiffRow => ({
  ...{ kind: "hunk", old: 0, now: 0, text: "", columns: 0 },
  hunk,
});
