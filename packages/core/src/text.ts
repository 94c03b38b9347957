/** Core has no TextEncoder: bytes of a string in UTF-8, a lone surrogate counting as U+FFFD. */
export function utf8Length(text: string): number {
  let bytes = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) bytes += 1;
    else if (unit < 0x800) bytes += 2;
    else if (unit >= 0xd800 && unit < 0xdc00 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) {
      bytes += 4;
      i++;
    } else bytes += 3;
  }
  return bytes;
}

/** Characters no stored text may contain: NUL, which ends strings in other programs, and half characters. */
export function hasForbiddenCharacter(text: string): boolean {
  return text.includes("\0") || !text.isWellFormed();
}

/** The longest message of a person: 768 KB of UTF-8, inclusive. */
export const maxPromptBytes = 786_432;
