import fc from "fast-check";

/** The halves of UTF-16 pairs, which never stand alone in well-formed text. */
const surrogates = { first: 0xd800, count: 0x800 };

const character = fc.integer({ min: 0, max: 0x10_ffff - surrogates.count }).map(
  (n) => String.fromCodePoint(n < surrogates.first ? n : n + surrogates.count),
  (text) => {
    const code = typeof text === "string" ? text.codePointAt(0) : undefined;
    if (code === undefined || text !== String.fromCodePoint(code)) throw new Error("Not one character");
    return code < surrogates.first ? code : code - surrogates.count;
  },
);

/**
 * Strings of any code points. fast-check's own `unit: "binary"` means the same, but first fills a table of all of them,
 * which takes a second in every process.
 */
export const anyText = (constraints: Omit<fc.StringConstraints, "unit"> = {}): fc.Arbitrary<string> =>
  fc.string({ ...constraints, unit: character });
