// biome-ignore-all lint/suspicious/noControlCharactersInRegex: this file parses them
const controlCharacter = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;

/** Strings for the terminal itself: OSC, DCS, APC, PM, SOS. */
const terminalString =
  /(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c|$)/g;

/** In this order: strings, control sequences, two-byte escapes. */
const escapes = [terminalString, /(?:\u001b\[|\u009b)[0-?]*[ -/]*(?:[@-~]|$)/g, /\u001b[ -/]*[0-~]?/g];

/**
 * Text as a terminal would show it: without escapes, and with each line as its last carriage return left it.
 */
export function plainText(text: string): string {
  if (!controlCharacter.test(text)) return text;
  let plain = text;
  for (const pattern of escapes) plain = plain.replace(pattern, "");
  return plain
    .replace(/\r+\n/g, "\n")
    .replace(/^.*\r(?!$)/gm, "")
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "");
}

/** Removes strings that address the terminal itself. Escapes for the text, such as colours, stay. */
export const withoutTerminalStrings = (text: string): string => text.replace(terminalString, "");
