import type { Page } from "playwright-core";

/** Controls without the page's one focus ring, and parts of the page that miss the edge of its one column. */
export async function lookFindings(page: Page): Promise<string[]> {
  // Focus set by a script shows its ring only after a key. This one does nothing else.
  await page.keyboard.press("Shift");
  return page.evaluate(() => {
    const probe = document.createElement("i");
    probe.style.color = "var(--accent)";
    document.body.append(probe);
    const accent = getComputedStyle(probe).color;
    probe.remove();
    return [...withoutRing(), ...offColumn()];

    function withoutRing(): string[] {
      const before = document.activeElement;
      const scope = document.querySelector("dialog[open]") ?? document;
      const controls = scope.querySelectorAll<HTMLElement>(
        "a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, summary, [tabindex='0']",
      );
      const bare = [...controls].filter((control) => {
        control.focus({ preventScroll: true });
        if (document.activeElement !== control || control.getClientRects().length === 0) return false;
        const ringed = control.matches(".framed") ? control.closest(".focus-frame") : control;
        const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(ringed ?? control);
        return outlineStyle !== "solid" || outlineWidth !== "2px" || outlineColor !== accent;
      });
      if (before instanceof HTMLElement) before.focus({ preventScroll: true });
      return bare.map((control) => `no focus ring: ${control.outerHTML.slice(0, 160)}`);
    }

    /** Compares what can be seen of the header, the content and the composer: text and boxes with a border. */
    function offColumn(): string[] {
      const parts = document.querySelectorAll("main > header, main .column-scroller, main > footer");
      const edges = [...parts].flatMap((part) => {
        const lefts = [...part.querySelectorAll("*")].flatMap(leftsOf).filter((left) => left > 0);
        return lefts.length > 0 ? [{ part, left: Math.round(Math.min(...lefts)) }] : [];
      });
      return edges
        .filter(({ left }) => left !== edges[0]?.left)
        .map(({ part, left }) => `${left}px is not the column's ${edges[0]?.left}px: ${part.className}`);
    }

    function leftsOf(element: Element): number[] {
      const { borderLeftWidth, borderLeftStyle, visibility } = getComputedStyle(element);
      if (visibility !== "visible" || element.closest(".sr-only, details:not([open])")) return [];
      const hasBorder = borderLeftStyle !== "none" && borderLeftWidth !== "0px";
      const rects = hasBorder ? [...element.getClientRects()] : [];
      for (const node of element.childNodes) {
        if (node.nodeType !== Node.TEXT_NODE || node.textContent?.trim() === "") continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        rects.push(...range.getClientRects());
      }
      return rects.filter(({ width }) => width > 0).map(({ left }) => left);
    }
  });
}
