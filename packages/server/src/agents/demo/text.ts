/** The first `max` code units, never half a character. */
export function clip(text: string, max: number): string {
  if (text.length <= max) return text;
  const last = text.charCodeAt(max - 1);
  const splitsPair = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, splitsPair ? max - 1 : max);
}

/** What the demo agent counts as a token. */
export function countWords(text: string): number {
  return text.match(/\S+/g)?.length ?? 0;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
