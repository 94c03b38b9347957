/** An agent's two letters: the initials of its first two words, or the first two letters of its only word. */
export function monogramOf(name: string): string {
  const words = name.split(/[\s_-]+/).filter((word) => /^[\p{L}\p{N}]/u.test(word));
  const letters =
    words.length > 1 ? words.slice(0, 2).map((word) => [...word][0]) : [...(words[0] ?? "?")].slice(0, 2);
  return `${letters[0]?.toUpperCase() ?? ""}${letters[1] ?? ""}`;
}
