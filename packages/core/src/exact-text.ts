/**
 * Characters that are invisible, or that change where others appear: controls, bidirectional marks, zero-width
 * characters, fillers, selectors, tags, private use, unassigned and half characters. Tabs and line breaks are layout;
 * the joiners and selectors inside an emoji are visible as part of it.
 */
const hidden =
  /(?![\t\n]|(?<=\p{ExtPict})\ufe0f|(?<=\p{ExtPict}\ufe0f?)\u200d(?=\p{ExtPict}))[\p{C}\p{Zl}\p{Zp}\p{DI}\u2800]/gu;

/** Looks like a space but is another character. */
const falseSpace = /(?! )\p{Zs}/gu;

/** Text that already looks like our notation. Spelling out its bracket keeps the notation unambiguous. */
const lookalike = /⟨(?=U\+[0-9A-F]{4,6}⟩)/g;

const spell = (character: string) =>
  `⟨U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")}⟩`;

/** The text exactly as it is, with hidden characters spelled out as `⟨U+202E⟩`. */
export const exactText = (text: string): string => text.replace(lookalike, spell).replace(hidden, spell);

/** Like `exactText`, for text that will run or be written: there a fake space names another program or file. */
export const exactInput = (text: string): string => exactText(text).replace(falseSpace, spell);
