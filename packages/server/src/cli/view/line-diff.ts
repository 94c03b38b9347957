export interface DiffLine {
  readonly sign: "+" | "-" | " ";
  readonly text: string;
}

/** Above this many comparisons, all old lines are shown as removed and all new ones as added. */
const maxComparisons = 1_000_000;

/**
 * The lines of two texts: removed, added and unchanged ones, none left out. Joined with line feeds, the unchanged and
 * removed lines are `before`, the unchanged and added lines `after`. `before` is null for a new file.
 */
export function lineDiff(before: string | null, after: string): DiffLine[] {
  const old = before === null ? [] : before.split("\n");
  const current = after.split("\n");
  const shorter = Math.min(old.length, current.length);
  let start = 0;
  while (start < shorter && old[start] === current[start]) start++;
  let end = 0;
  while (end < shorter - start && old.at(-1 - end) === current.at(-1 - end)) end++;
  return [
    ...withSign(" ", old.slice(0, start)),
    ...changes(old.slice(start, old.length - end), current.slice(start, current.length - end)),
    ...withSign(" ", old.slice(old.length - end)),
  ];
}

const withSign = (sign: DiffLine["sign"], lines: readonly string[]): DiffLine[] =>
  lines.map((text) => ({ sign, text }));

/** Keeps a longest common subsequence of lines unchanged. */
function changes(old: readonly string[], current: readonly string[]): DiffLine[] {
  if (old.length * current.length > maxComparisons) return [...withSign("-", old), ...withSign("+", current)];
  const width = current.length + 1;
  /** At `i * width + j`: how many lines `old` from i on and `current` from j on have in common. */
  const common = new Uint32Array((old.length + 1) * width);
  const commonAt = (i: number, j: number) => common[i * width + j] ?? 0;
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = current.length - 1; j >= 0; j--) {
      const isSame = old[i] === current[j];
      common[i * width + j] = isSame
        ? commonAt(i + 1, j + 1) + 1
        : Math.max(commonAt(i + 1, j), commonAt(i, j + 1));
    }
  }
  const lines: DiffLine[] = [];
  let i = 0;
  let j = 0;
  while (i < old.length || j < current.length) {
    if (i < old.length && j < current.length && old[i] === current[j]) {
      lines.push({ sign: " ", text: old[i] ?? "" });
      i++;
      j++;
    } else if (j >= current.length || (i < old.length && commonAt(i + 1, j) >= commonAt(i, j + 1))) {
      lines.push({ sign: "-", text: old[i++] ?? "" });
    } else lines.push({ sign: "+", text: current[j++] ?? "" });
  }
  return lines;
}
