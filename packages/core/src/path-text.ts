// File names are bytes, mostly UTF-8. Here a Latin 1 string stands for bytes: one character for each.

/** UTF-8, character by character; else our own notation as part of a name; else a byte that belongs to no character. */
const pieces =
  /\xe2\x9f\xa8(?=0x[0-9A-F]{2}\xe2\x9f\xa9)|([\0-\x7f]|[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2})|[\x80-\xff]/g;

const notation = /⟨0x([0-9A-F]{2})⟩/;

const hex = (byte: string) => byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0");

const spell = (bytes: string) => [...bytes].map((byte) => `⟨0x${hex(byte)}⟩`).join("");

/**
 * A file's name as text: its UTF-8, with every other byte spelled `⟨0xE9⟩`. Names that already contain the notation are
 * spelled out too, so that no two names have the same text.
 */
export const pathText = (bytes: string): string =>
  bytes.replace(pieces, (piece, utf8: string | undefined) =>
    utf8 === undefined ? spell(piece) : decodeURIComponent([...utf8].map((byte) => `%${hex(byte)}`).join("")),
  );

/** The file name that `pathText` turned into this text. */
export const pathBytes = (text: string): string =>
  text
    .toWellFormed()
    .split(notation)
    .map((piece, at) => (at % 2 === 1 ? byteOf(piece) : utf8Of(piece)))
    .join("");

const byteOf = (digits: string) => String.fromCharCode(Number.parseInt(digits, 16));

const utf8Of = (text: string) =>
  encodeURIComponent(text).replace(/%(..)/g, (_, digits: string) => byteOf(digits));
