export interface DiffLine {
  readonly sign: "+" | "-" | " ";
  readonly text: string;
}

/** Above this many comparisons a change is shown as all old lines, then all new ones. */
const maxCells = 1_000_000;

/** Removed, added and unchanged lines. */
export const lineDiff = (before: string, after: string): DiffLine[] => compare(lines(before), lines(after));

/** Marks a last line without a line break. No line contains one. */
const openEnd = "\n";

/** Like `lineDiff`, but a last line with a line break differs from one without. */
export function exactLineDiff(before: string, after: string): DiffLine[] {
  return compare(linesWithEnd(before), linesWithEnd(after)).map(({ sign, text }) => ({
    sign,
    text: text.endsWith(openEnd) ? text.slice(0, -1) : text,
  }));
}

/** Whether text ends in the middle of a line. */
export const hasOpenEnd = (text: string | null | undefined): boolean => !!text && !text.endsWith("\n");

const linesWithEnd = (text: string) =>
  hasOpenEnd(text) ? lines(text).with(-1, `${lines(text).at(-1)}${openEnd}`) : lines(text);

/** The longest common subsequence between equal ends. */
function compare(old: readonly string[], now: readonly string[]): DiffLine[] {
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head++;
  let tail = 0;
  while (
    tail < Math.min(old.length, now.length) - head &&
    old[old.length - 1 - tail] === now[now.length - 1 - tail]
  ) {
    tail++;
  }
  return [
    ...signed(" ", old.slice(0, head)),
    ...middle(old.slice(head, old.length - tail), now.slice(head, now.length - tail)),
    ...signed(" ", old.slice(old.length - tail)),
  ];
}

function lines(text: string): string[] {
  if (text === "") return [];
  return (text.endsWith("\n") ? text.slice(0, -1) : text).split("\n");
}

const signed = (sign: DiffLine["sign"], texts: readonly string[]): DiffLine[] =>
  texts.map((text) => ({ sign, text }));

function middle(old: readonly string[], now: readonly string[]): DiffLine[] {
  if (old.length * now.length > maxCells) return [...signed("-", old), ...signed("+", now)];
  const width = now.length + 1;
  // common[i * width + j]: how many lines old[i…] and now[j…] share, in order.
  const common = new Uint32Array((old.length + 1) * width);
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = now.length - 1; j >= 0; j--) {
      common[i * width + j] =
        old[i] === now[j]
          ? (common[(i + 1) * width + j + 1] ?? 0) + 1
          : Math.max(common[(i + 1) * width + j] ?? 0, common[i * width + j + 1] ?? 0);
    }
  }
  const result: DiffLine[] = [];
  let i = 0;
  let j = 0;
  while (i < old.length || j < now.length) {
    if (i < old.length && j < now.length && old[i] === now[j]) {
      result.push({ sign: " ", text: old[i] ?? "" });
      i++;
      j++;
    } else if (j >= now.length || (i < old.length && takesOld(i, j))) {
      result.push({ sign: "-", text: old[i++] ?? "" });
    } else result.push({ sign: "+", text: now[j++] ?? "" });
  }
  return result;

  function takesOld(row: number, column: number): boolean {
    return (common[(row + 1) * width + column] ?? 0) >= (common[row * width + column + 1] ?? 0);
  }
}
