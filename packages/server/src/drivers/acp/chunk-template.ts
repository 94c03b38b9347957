import type { Voice } from "../fact-batch.ts";

/**
 * Agents send their text in many small chunks that differ in nothing but the text. A line that begins and ends like
 * the last parsed chunk, with one JSON string between, is such a chunk too: taking that string out is three times
 * faster than parsing the line. Raw control characters, which JSON forbids, are taken as they are.
 */
export class ChunkTemplate {
  #head = "";
  #tail = "";
  #voice: Voice | undefined;
  /** A form that fitted no further line was learned in vain: the next ones are let pass, each time more. */
  #isUsed = true;
  #letPass = 0;
  #toLetPass = 0;

  /** Whose chunk a line is that `read` understands. */
  get voice(): Voice {
    if (this.#voice === undefined) throw new Error("No chunk has been learned");
    return this.#voice;
  }

  /** The text of a line that has the learned form. */
  read(line: string): string | undefined {
    const start = this.#head.length;
    const end = line.length - this.#tail.length;
    if (this.#voice === undefined || end < start) return undefined;
    // Comparing slices: startsWith and endsWith go character by character and would take half of all time (Node 24).
    if (line.slice(0, start) !== this.#head || line.slice(end) !== this.#tail) return undefined;
    this.#isUsed = true;
    const words = line.slice(start, end);
    if (line.indexOf('"', start) === end && !words.includes("\\")) return words;
    return parseString(line.slice(start - 1, end + 1));
  }

  /** `line` was parsed and is a chunk with this text. Learned only where there can be no doubt which string it is. */
  learn(line: string, chunk: { readonly text: string; readonly voice: Voice }): void {
    if (this.#toLetPass > 0) {
      this.#toLetPass -= 1;
      return;
    }
    this.#letPass = this.#isUsed ? 0 : Math.min(2 * this.#letPass + 1, MAX_LET_PASS);
    this.#toLetPass = this.#letPass;
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

const MAX_LET_PASS = 63;

/** Every key of this name; inside a string its quotes would be escaped. */
const TEXT_KEY = /(?<!\\)"text"\s*:/g;
const TEXT_START = '"text":"';

/** Anything but one whole string literal is refused by the parser. */
function parseString(literal: string): string | undefined {
  try {
    const value: unknown = JSON.parse(literal);
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Where the string that begins at `from` has its closing quote, in a line known to be JSON. */
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

/** A line shares memory with all others of its chunk, which a slice of it would keep alive. */
const copy = (slice: string): string => Buffer.from(slice).toString();
