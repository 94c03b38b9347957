/** A stretch of consecutive entries: `to` is the first one behind it. */
export interface Page {
  readonly from: number;
  readonly to: number;
}

/** What a page holds at most: so much is drawn at once without a pause. */
const maxWeight = 1_000;

/** Entries in pages, in order. An entry that is heavier than a page has one of its own. There is always a page. */
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

/** Characters that cost as much as a line. */
const lineLength = 200;

export const lineWeight = (line: string): number => 1 + line.length / lineLength;

/** What all lines of a text weigh. */
export function textWeight(text: string): number {
  let lines = 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines++;
  return lines + text.length / lineLength;
}
