import type { Voice } from "../fact-batch.ts";

/**
 * Agents send their text in many small chunks that differ only in the text. A line that starts and ends like the last
 * parsed chunk, with one JSON string in between, is such a chunk too: extracting that string is three times faster than
 * parsing the line. Raw control characters, which JSON forbids, are kept as they are.
 */
export class ChunkTemplate {
  #head = "";
  #tail = "";
  #voice: Voice | undefined;
  /** A template that matched no further line was learned in vain: skip the next lines, more each time. */
  #isUsed = true;
  #skip = 0;
  #toSkip = 0;

  /** The voice of the chunks that `read` recognizes. */
  get voice(): Voice {
    if (this.#voice === undefined) throw new Error("No chunk has been learned");
    return this.#voice;
  }

  /** The text of a line that matches the learned template. */
  read(line: string): string | undefined {
    const start = this.#head.length;
    const end = line.length - this.#tail.length;
    if (this.#voice === undefined || end < start) return undefined;
    // Compare slices: startsWith and endsWith go character by character and would take half of all time (Node 24).
    if (line.slice(0, start) !== this.#head || line.slice(end) !== this.#tail) return undefined;
    this.#isUsed = true;
    const words = line.slice(start, end);
    if (line.indexOf('"', start) === end && !words.includes("\\")) return words;
    return parseString(line.slice(start - 1, end + 1));
  }

  /** `line` was parsed and is a chunk with this text. It is learned only if the position of the text is unambiguous. */
  learn(line: string, chunk: { readonly text: string; readonly voice: Voice }): void {
    if (this.#toSkip > 0) {
      this.#toSkip -= 1;
      return;
    }
    this.#skip = this.#isUsed ? 0 : Math.min(2 * this.#skip + 1, MAX_SKIP);
    this.#toSkip = this.#skip;
    this.#isUsed = false;
    this.#voice = undefined;
    const keys = line.match(TEXT_KEY);
    const at = line.indexOf(TEXT_START);
    if (keys?.length !== 1 || at === -1) return;
    const start = at + TEXT_START.length;
    const end = endOfString(line, start);
    if (parseString(line.slice(start - 1, end + 1)) !== chunk.text) return;
    this.#head = copy(line.slice(0, start));
    this.#tail = copy(line.slice(end));
    this.#voice = chunk.voice;
  }
}

const MAX_SKIP = 63;

/** All keys with this name; inside a string the quotes would be escaped. */
const TEXT_KEY = /(?<!\\)"text"\s*:/g;
const TEXT_START = '"text":"';

/** The parser rejects anything but one complete string literal. */
function parseString(literal: string): string | undefined {
  try {
    const value: unknown = JSON.parse(literal);
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The closing quote of the string that starts at `from`, in a line known to be valid JSON. */
function endOfString(line: string, from: number): number {
  let at = line.indexOf('"', from);
  while (isEscaped(line, at)) at = line.indexOf('"', at + 1);
  return at;
}

function isEscaped(line: string, at: number): boolean {
  let backslashes = 0;
  while (line[at - 1 - backslashes] === "\\") backslashes += 1;
  return backslashes % 2 === 1;
}

/** A slice would keep the whole chunk alive, whose memory all its lines share. */
const copy = (slice: string): string => Buffer.from(slice).toString();
