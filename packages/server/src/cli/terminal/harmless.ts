import { spellCharacter } from "@drover/core";

// Put together from strings: in a literal, control characters are rightly taken for a mistake.
const parameters = String.raw`[\d;:]{0,64}`;
const colour = String.raw`(?:\u001b\[|\u009b)${parameters}m`;
const steering = new RegExp(
  String.raw`(${colour}|\r(?=\n))|(?![\t\n])[\p{Cc}\p{Bidi_C}\p{Cs}\p{Zl}\p{Zp}]`,
  "gu",
);
const unfinished = new RegExp(
  String.raw`(?:\u001b(?:\[${parameters})?|\u009b${parameters}|\r|[\ud800-\udbff])$`,
);

/**
 * Text that cannot steer a terminal, so that nobody can set its title, write to the clipboard or paint over an
 * approval. Colours and the CR of a CRLF go; every other control, direction mark and half character is spelled out.
 * Everything that a reader could see stays, the content of an escape sequence included.
 */
export const harmless = (text: string): string =>
  text.replace(steering, (found, layout?: string) => (layout === undefined ? spellCharacter(found) : ""));

/** The same on one line: line breaks are spelled out, too. */
export const harmlessLine = (text: string): string => harmless(text).replaceAll("\n", spellCharacter);

/** `harmless` for text in pieces: a sequence or character cut between two of them is held back until it is whole. */
export class HarmlessStream {
  private held = "";

  push(piece: string): string {
    const text = this.held + piece;
    const cut = text.search(unfinished);
    const end = cut < 0 ? text.length : cut;
    this.held = text.slice(end);
    return harmless(text.slice(0, end));
  }

  /** What is still held back. */
  end(): string {
    const rest = harmless(this.held);
    this.held = "";
    return rest;
  }
}

/** JSON with the characters escaped that `JSON.stringify` leaves as they are and a terminal does not. */
export const harmlessJson = (json: string): string =>
  json.replace(
    /[\p{Cc}\p{Bidi_C}\p{Zl}\p{Zp}]/gu,
    (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
