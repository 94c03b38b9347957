import type { Locator } from "playwright-core";

export interface Seen {
  readonly text: string;
  /** Text that is present but unreadable, or out of order. */
  readonly problems: readonly string[];
}

/**
 * What a person can read of an element: its text, and every reason why some of it cannot be seen, such as a box that
 * clips without scrolling, no size, no contrast, or characters drawn in a different order.
 */
export function seenIn(element: Locator): Promise<Seen> {
  return element.evaluate((root: HTMLElement) => {
    const problems = new Set<string>();
    const nodes = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
      const parent = node.parentElement;
      const text = node.textContent ?? "";
      if (!parent || text.trim() === "" || isOurs(parent)) continue;
      const report = (problem: string) => problems.add(`${problem}: ${text.trim().slice(0, 40)}`);
      const range = document.createRange();
      range.selectNodeContents(node);
      const rects = [...range.getClientRects()].filter(({ width, height }) => width > 0 && height > 0);
      if (rects.length === 0) report("has no size");
      const { color, fontSize, opacity, visibility } = getComputedStyle(parent);
      if (visibility !== "visible" || Number(opacity) < 0.4) report("is invisible");
      if (Number.parseFloat(fontSize) < 9) report("is too small");
      if (color === backgroundOf(parent)) report("has the colour of its background");
      for (const rect of rects) if (!canBeReached(rect, parent)) report("is clipped");
    }
    for (const box of root.querySelectorAll<HTMLElement>(".in-order")) {
      if (!isInOrder(box)) problems.add(`is out of order: ${box.innerText.slice(0, 40)}`);
    }
    return { text: root.innerText, problems: [...problems] };

    /** Keyboard hints, which come and go with the focus. */
    function isOurs(parent: Element): boolean {
      return parent.closest("[aria-hidden=true]") !== null;
    }

    function backgroundOf(from: Element): string {
      for (let at: Element | null = from; at; at = at.parentElement) {
        const { backgroundColor } = getComputedStyle(at);
        if (!/rgba\(0, 0, 0, 0\)|transparent/.test(backgroundColor)) return backgroundColor;
      }
      return "";
    }

    function canBeReached(rect: DOMRect, from: Element): boolean {
      let { left, right, top, bottom } = rect;
      for (let at: Element | null = from; at && at !== document.body; at = at.parentElement) {
        const { overflowX, overflowY, clipPath } = getComputedStyle(at);
        const box = at.getBoundingClientRect();
        const scrolls = { x: /auto|scroll/.test(overflowX), y: /auto|scroll/.test(overflowY) };
        // Content that scrolls is reachable within its box; from there on the box itself must be visible.
        if (scrolls.x) [left, right] = [box.left, box.right];
        else if (overflowX !== "visible" && (left < box.left - 1 || right > box.right + 1)) return false;
        if (scrolls.y) [top, bottom] = [box.top, box.bottom];
        else if (overflowY !== "visible" && (top < box.top - 1 || bottom > box.bottom + 1)) return false;
        if (clipPath !== "none" || (scrolls.y && box.height < 12)) return false;
      }
      return true;
    }

    /** Whether each character is to the right of the previous one, or further down. */
    function isInOrder(box: Element): boolean {
      const inside = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
      const range = document.createRange();
      let last = { left: Number.NEGATIVE_INFINITY, top: Number.NEGATIVE_INFINITY };
      let visited = 0;
      for (let node = inside.nextNode(); node && visited < 1_000; node = inside.nextNode()) {
        const { length } = node.textContent ?? "";
        for (let at = 0; at < length && visited < 1_000; at++, visited++) {
          range.setStart(node, at);
          range.setEnd(node, at + 1);
          const rect = range.getClientRects()[0];
          if (!rect || rect.width === 0) continue;
          if (rect.top < last.top - 4 || (rect.top < last.top + 4 && rect.left < last.left - 1)) return false;
          last = { left: rect.left, top: rect.top };
        }
      }
      return true;
    }
  });
}
