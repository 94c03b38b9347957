import type { DiffLine } from "./line-diff.ts";

/** One file of a diff as git writes it. Every line of the diff is in one of these. */
export interface FilePatch {
  /** As git quotes it. */
  readonly path: string;
  /** Lines outside of hunks, and the heads of hunks, have no sign. */
  readonly lines: readonly DiffLine[];
}

/** Splits a unified diff into its files, and leaves nothing out. */
export function splitDiff(diff: string): readonly FilePatch[] {
  if (diff === "") return [];
  const files: { head: string; lines: DiffLine[]; isInHunk: boolean }[] = [];
  for (const line of withoutEnd(diff).split("\n")) {
    const file = files.at(-1);
    if (line.startsWith("diff --git ") || !file) {
      files.push({ head: line, lines: [{ sign: " ", text: line }], isInHunk: false });
      continue;
    }
    file.isInHunk ||= line.startsWith("@@ ");
    const sign = file.isInHunk ? line[0] : undefined;
    const isContent = sign === "+" || sign === "-" || sign === " ";
    file.lines.push(isContent ? { sign, text: line.slice(1) } : { sign: " ", text: line });
  }
  return files.map(({ head, lines }) => ({ path: pathOf(head, lines), lines }));
}

const withoutEnd = (text: string) => (text.endsWith("\n") ? text.slice(0, -1) : text);

function pathOf(head: string, lines: readonly DiffLine[]): string {
  const named = (start: string) => {
    const text = lines.find((line) => line.sign === " " && line.text.startsWith(start))?.text;
    return text === undefined || text === `${start}/dev/null` ? undefined : text.slice(start.length);
  };
  const path = named("rename to ") ?? named("+++ ") ?? named("--- ");
  return path?.replace(/^("?)[ab]\//, "$1") ?? head.replace(/^diff --git /, "");
}
