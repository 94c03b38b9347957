/** Consecutive entries; `to` is exclusive. */
export interface Page {
  readonly from: number;
  readonly to: number;
}

/** The most that can be rendered at once without a noticeable pause. */
const maxWeight = 1_000;

/** Splits entries into pages, at least one. An entry heavier than a page gets its own. */
export function pagesOf<T>(entries: readonly T[], weightOf: (entry: T) => number): readonly Page[] {
  const pages: Page[] = [];
  let from = 0;
  let weight = 0;
  for (const [at, entry] of entries.entries()) {
    const more = weightOf(entry);
    if (at > from && weight + more > maxWeight) {
      pages.push({ from, to: at });
      from = at;
      weight = 0;
    }
    weight += more;
  }
  return [...pages, { from, to: entries.length }];
}

/** Characters that count as one line. */
const lineLength = 200;

export const lineWeight = (line: string): number => 1 + line.length / lineLength;

/** The weight of all lines of a text. */
export function textWeight(text: string): number {
  let lines = 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines++;
  return lines + text.length / lineLength;
}
