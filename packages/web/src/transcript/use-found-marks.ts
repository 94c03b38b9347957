import { type RefObject, useEffect } from "react";

/** A limit, because a large output can contain a common word a million times. */
const maxMarks = 5_000;

/** Highlights matches in the rendered rows without changing the DOM. */
export function useFoundMarks(box: RefObject<HTMLElement | null>, query: string): void {
  const needle = query.trim().toLowerCase();
  // After every render, because rows come and go.
  useEffect(() => {
    if (!("highlights" in CSS)) return;
    CSS.highlights.delete("found");
    if (needle === "" || !box.current) return;
    CSS.highlights.set("found", new Highlight(...firstRanges(box.current, needle, maxMarks)));
  });
  useEffect(() => () => void ("highlights" in CSS && CSS.highlights.delete("found")), []);
}

/** The first matches of a lower-case needle in the rendered text. */
export function firstRanges(root: Element, needle: string, max: number): Range[] {
  const found: Range[] = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const original = node.textContent ?? "";
    const text = original.toLowerCase();
    // Lower case can change the length of text in some languages. Skip it rather than highlight the wrong part.
    if (text.length !== original.length) continue;
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
