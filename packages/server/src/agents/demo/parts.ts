/** What the demo agent does with a prompt, and what it keeps for the next one. */
export interface Parts {
  readonly now: string;
  readonly later?: string;
}

/**
 * A line `pause` ends a part. What follows it is kept for the next prompt, in place of that prompt's own lines: so a
 * script can say what follows an answer, a review or a failed check. A prompt that has a `pause` starts anew.
 */
export function partsOf(prompt: string, kept: string | undefined): Parts {
  const isScript = kept === undefined || linesOf(prompt).some(isPause);
  const lines = linesOf(isScript ? prompt : kept);
  const at = lines.findIndex(isPause);
  if (at < 0) return { now: lines.join("\n") };
  const later = lines.slice(at + 1).join("\n");
  return { now: lines.slice(0, at).join("\n"), ...(later === "" ? {} : { later }) };
}

const linesOf = (text: string): string[] => text.split(/\r?\n/);
const isPause = (line: string): boolean => line.trim() === "pause";
