/**
 * How well a text answers what was typed: every letter must be there in order. Letters that begin words and letters
 * in a row weigh most; of equals the shorter text is better. Nothing when it does not match.
 */
export function score(typed: string, text: string): number | undefined {
  const wanted = typed.toLowerCase().replace(/\s+/g, "");
  const lower = text.toLowerCase();
  let total = 0;
  let last = -1;
  for (const letter of wanted) {
    const at = place(letter, { text, lower, after: last });
    if (at < 0) return undefined;
    total += at === last + 1 && last >= 0 ? 8 : beginsWord(text, at) ? 6 : 1;
    last = at + letter.length - 1;
  }
  return total - text.length / 100;
}

interface Where {
  readonly text: string;
  readonly lower: string;
  readonly after: number;
}

/** The next letter in a row, else the next that begins a word, else any. */
function place(letter: string, { text, lower, after }: Where): number {
  if (lower.startsWith(letter, after + 1)) return after + 1;
  for (let at = lower.indexOf(letter, after + 1); at >= 0; at = lower.indexOf(letter, at + 1)) {
    if (beginsWord(text, at)) return at;
  }
  return lower.indexOf(letter, after + 1);
}

const beginsWord = (text: string, at: number) => at === 0 || /[\s\-_/.:·]/.test(text[at - 1] ?? "");

/** What matches, best first; everything in its own order while nothing is typed. */
export function rank<T>(typed: string, candidates: readonly T[], textOf: (candidate: T) => string): T[] {
  if (typed.trim() === "") return [...candidates];
  return candidates
    .flatMap((candidate) => {
      const points = score(typed, textOf(candidate));
      return points === undefined ? [] : [{ candidate, points }];
    })
    .sort((a, b) => b.points - a.points)
    .map(({ candidate }) => candidate);
}
