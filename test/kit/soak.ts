// What `npm test` leaves to `npm run soak`: repetitions of a mechanism that it tests once. The soak runs the same tests
// under the same titles, in the files that import this one.

/** Whether this is `npm run soak`, which has time for everything. */
export const isSoak = process.env["SOAK"] === "1";

/** How often, how many, or which: one answer for `npm test`, and a longer one for the soak. */
export const usually = <T>(usual: T, { inSoak }: { inSoak: T }): T => (isSoak ? inSoak : usual);

/** Every n-th of many similar cases. */
export const every = <T>(nth: number, cases: readonly T[]): readonly T[] =>
  cases.filter((_, index) => index % nth === 0);
