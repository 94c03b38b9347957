/** Whether this is `npm run soak`, which has time for everything. */
export const isSoak = process.env["SOAK"] === "1";

/** How often a sweep repeats: a few rounds in `npm test`, all of them in `npm run soak`. */
export const rounds = (usual: number, inSoak: number): number => (isSoak ? inSoak : usual);

/** Every fourth of many similar cases in `npm test`, all of them in `npm run soak`. */
export const someOf = <T>(cases: readonly T[]): readonly T[] =>
  isSoak ? cases : cases.filter((_, index) => index % 4 === 0);

/** These cases in `npm test`; in `npm run soak` also others that test the same mechanism. */
export const alsoInSoak = <T>(usual: readonly T[], others: readonly T[]): readonly T[] =>
  isSoak ? [...usual, ...others] : usual;
