const separator = /[\s\-_/.:·]/;

/** Longer texts are searched only up to this length. */
const searched = 300;

/** Whole words and starts of words outrank scattered letters. */
const weights = { whole: 20_000, start: 10_000 } as const;

/**
 * How well a text matches what was typed, or undefined if it doesn't. Whole words come first, then starts of words, then
 * texts that have the letters in this order. Of equal matches the shorter text is better.
 */
export function score(typed: string, text: string): number | undefined {
  const wanted = typed.trim().toLowerCase();
  const points = wordScore(wanted, text.toLowerCase()) ?? lettersScore(wanted, text);
  return points === undefined ? undefined : points - text.length / 100;
}

function wordScore(wanted: string, text: string): number | undefined {
  let best: number | undefined;
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    if (!beginsWord(text, at)) continue;
    const end = at + wanted.length;
    if (end === text.length || separator.test(text[end] ?? "")) return weights.whole;
    best = weights.start;
  }
  return best;
}

/** The best way to place the letters in order. Letters in a row and letters that begin words weigh most. */
function lettersScore(wanted: string, text: string): number | undefined {
  const letters = [...wanted.replace(/\s+/g, "")];
  const places = [...text.slice(0, searched)];
  const lower = places.map((letter) => letter.toLowerCase());
  /** The best score of the letters so far, with the last of them at each place. */
  let ending: (number | undefined)[] = [];
  for (const [index, letter] of letters.entries()) {
    const next: (number | undefined)[] = [];
    let before: number | undefined = index === 0 ? 0 : undefined;
    for (const [at, candidate] of lower.entries()) {
      const inRow = at > 0 && index > 0 ? ending[at - 1] : undefined;
      if (candidate === letter) {
        const begins = at === 0 || separator.test(places[at - 1] ?? "");
        const apart = before === undefined ? undefined : before + (begins ? 6 : 1);
        next[at] = larger(apart, inRow === undefined ? undefined : inRow + 8);
      }
      if (index > 0) before = larger(before, ending[at]);
    }
    ending = next;
  }
  return ending.reduce<number | undefined>(larger, undefined);
}

const larger = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined || (b !== undefined && b > a) ? b : a;

const beginsWord = (text: string, at: number) => at === 0 || separator.test(text[at - 1] ?? "");

/** The candidates that match, best first; all of them in their own order while nothing is typed. */
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

/** Scattered letters are weighed only in this many paths, so that a huge tree is searched in milliseconds. */
const weighed = 2_000;

/** A match in a file's own name outranks one in its directories. */
const nameWeight = 5_000;

/** The best paths for what was typed; while nothing is typed, those nearest to the top. */
export function rankPaths(typed: string, paths: readonly string[], limit: number): string[] {
  const wanted = typed.trim().toLowerCase();
  if (wanted === "") return paths.toSorted((a, b) => depth(a) - depth(b)).slice(0, limit);
  const whole = paths.filter((path) => path.toLowerCase().includes(wanted));
  const found = whole.length >= limit ? whole : [...whole, ...scattered(wanted, paths)];
  return found
    .map((path) => ({ path, points: pathScore(wanted, path) }))
    .sort((a, b) => b.points - a.points)
    .slice(0, limit)
    .map(({ path }) => path);
}

function scattered(wanted: string, paths: readonly string[]): string[] {
  const letters = [...wanted.replace(/\s+/g, "")];
  const found: string[] = [];
  for (const path of paths) {
    if (found.length === weighed) break;
    const text = path.toLowerCase();
    if (!text.includes(wanted) && hasInOrder(text, letters)) found.push(path);
  }
  return found;
}

function hasInOrder(text: string, letters: readonly string[]): boolean {
  let at = 0;
  for (const letter of letters) {
    at = text.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}

function pathScore(wanted: string, path: string): number {
  const inName = score(wanted, path.slice(path.lastIndexOf("/", path.length - 2) + 1));
  const inPath = score(wanted, path) ?? -path.length;
  return inName === undefined ? inPath : Math.max(inName + nameWeight, inPath);
}

const depth = (path: string) => path.split("/").length;
