// Built from strings because the linter rejects control characters in regular expression literals.
const parameters = String.raw`[\d;:]{0,64}`;
const colour = String.raw`(?:\u001b\[|\u009b)${parameters}m`;
const steering = new RegExp(
  String.raw`(${colour}|\r(?=\n))|(?![\t\n])[\p{Cc}\p{Bidi_C}\p{Cs}\p{Zl}\p{Zp}]`,
  "gu",
);
const unfinished = new RegExp(
  String.raw`(?:\u001b(?:\[${parameters})?|\u009b${parameters}|\r|[\ud800-\udbff])$`,
);

/** The same notation as `exactText` in core, which is not imported because it would bring zod into every command. */
const spell = (character: string): string =>
  `⟨U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")}⟩`;

/**
 * Makes text safe for a terminal: it cannot set the title, write to the clipboard or paint over an approval. Colours
 * and the CR of a CRLF are removed; other control characters, direction marks and lone surrogates are spelled out.
 * Visible characters are never removed, not even inside an escape sequence.
 */
export const harmless = (text: string): string =>
  text.replace(steering, (found, layout?: string) => (layout === undefined ? spell(found) : ""));

/** The same on one line: line breaks are spelled out as well. */
export const harmlessLine = (text: string): string => harmless(text).replaceAll("\n", spell);

/** `harmless` for streamed text. Holds back a sequence or character that is incomplete at the end of a piece. */
export class HarmlessStream {
  private held = "";

  push(piece: string): string {
    const text = this.held + piece;
    const cut = text.search(unfinished);
    const end = cut < 0 ? text.length : cut;
    this.held = text.slice(end);
    return harmless(text.slice(0, end));
  }

  /** Returns the text that was held back. */
  end(): string {
    const pending = harmless(this.held);
    this.held = "";
    return pending;
  }
}

/** Escapes the characters in JSON that `JSON.stringify` leaves alone but a terminal acts on. */
export const harmlessJson = (json: string): string =>
  json.replace(
    /[\p{Cc}\p{Bidi_C}\p{Zl}\p{Zp}]/gu,
    (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
