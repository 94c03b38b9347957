import { type RefObject, useEffect } from "react";

/** More than anybody looks at; a large output can hold a common word a million times. */
const maxMarks = 5_000;

/** Marks the words in every row that is drawn, without touching what React drew. */
export function useFoundMarks(box: RefObject<HTMLElement | null>, query: string): void {
  const needle = query.trim().toLowerCase();
  // After every drawing: rows come and go under the marks.
  useEffect(() => {
    if (!("highlights" in CSS)) return;
    CSS.highlights.delete("found");
    if (needle === "" || !box.current) return;
    CSS.highlights.set("found", new Highlight(...firstRanges(box.current, needle, maxMarks)));
  });
  useEffect(() => () => void ("highlights" in CSS && CSS.highlights.delete("found")), []);
}

/** Where the words, in small letters, stand in what is drawn: the first so many places. */
export function firstRanges(root: Element, needle: string, max: number): Range[] {
  const found: Range[] = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const words = node.textContent ?? "";
    const text = words.toLowerCase();
    // A few letters of a few languages change their length: better unmarked than marked beside the word.
    if (text.length !== words.length) continue;
    for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + needle.length)) {
      if (found.length === max) return found;
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + needle.length);
      found.push(range);
    }
  }
  return found;
}
