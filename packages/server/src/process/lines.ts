import { isAscii } from "node:buffer";

/**
 * One piece of an agent's output. `end` is the absolute byte offset after it, newline included: where to continue.
 * `text` may share memory with the other lines of its chunk; copy it to keep it for long.
 */
export type Line =
  | { readonly kind: "line"; readonly text: string; readonly end: number }
  /** Text after the last newline when the output ended for good. */
  | { readonly kind: "torn"; readonly text: string; readonly end: number }
  /** A line over the limit; `length` is its size in bytes without the newline. */
  | { readonly kind: "skipped"; readonly length: number; readonly end: number };

export interface LineSplitterOptions {
  /** Longest line in bytes that is passed on. */
  readonly maxLine?: number | undefined;
  /** Absolute offset of the first byte that will be pushed. */
  readonly offset?: number | undefined;
}

const NEWLINE = 10;
const MAX_LINE = 32 * 1024 * 1024;
/** Kept between lines, so that ordinary torn lines cost no allocation. */
const SMALL = 4096;

/**
 * Splits bytes into lines. Characters are decoded only from complete lines, so they are never torn; bytes that are not
 * UTF-8 become U+FFFD. Holds at most `maxLine` bytes of an unfinished line, copied: the caller may reuse its chunk.
 */
export class LineSplitter {
  readonly #maxLine: number;
  #offset: number;
  #buffer = Buffer.allocUnsafeSlow(SMALL);
  #held = 0;
  /** Bytes of the line being skipped; 0 if none is. */
  #skipped = 0;

  constructor(options: LineSplitterOptions = {}) {
    this.#maxLine = options.maxLine ?? MAX_LINE;
    this.#offset = options.offset ?? 0;
  }

  /** A copy of the unfinished line's bytes; empty while a line is being skipped. */
  get unfinished(): Buffer {
    return Buffer.from(this.#buffer.subarray(0, this.#held));
  }

  push(chunk: Buffer): Line[] {
    const lines: Line[] = [];
    const first = chunk.indexOf(NEWLINE);
    if (first === -1) {
      this.#hold(chunk);
      this.#offset += chunk.length;
      return lines;
    }
    let from = 0;
    if (this.#held > 0 || this.#skipped > 0) {
      this.#hold(chunk.subarray(0, first));
      lines.push(this.#take("line", this.#offset + first + 1));
      from = first + 1;
    }
    const behind = chunk.lastIndexOf(NEWLINE) + 1;
    if (behind > from) this.#cut(chunk.subarray(from, behind), { lines, base: this.#offset + from });
    this.#hold(chunk.subarray(behind));
    this.#offset += chunk.length;
    return lines;
  }

  /** Call when no more bytes will come: returns the unfinished line, if any. */
  finish(): Line[] {
    return this.#held > 0 || this.#skipped > 0 ? [this.#take("torn", this.#offset)] : [];
  }

  /** `region` contains only complete lines. */
  #cut(region: Buffer, into: { lines: Line[]; base: number }): void {
    // Decoding the region once and slicing it is several times faster than decoding line by line. Only for ASCII, where
    // bytes and characters count the same and no line pays for its neighbour's wide characters.
    const ascii = isAscii(region) ? region.toString("latin1") : undefined;
    let from = 0;
    while (from < region.length) {
      const at = ascii === undefined ? region.indexOf(NEWLINE, from) : ascii.indexOf("\n", from);
      const end = into.base + at + 1;
      if (at - from > this.#maxLine) into.lines.push({ kind: "skipped", length: at - from, end });
      else {
        const text = ascii === undefined ? region.toString("utf8", from, at) : ascii.slice(from, at);
        into.lines.push({ kind: "line", text, end });
      }
      from = at + 1;
    }
  }

  #take(kind: "line" | "torn", end: number): Line {
    const line: Line =
      this.#skipped > 0
        ? { kind: "skipped", length: this.#skipped, end }
        : { kind, text: this.#buffer.toString("utf8", 0, this.#held), end };
    this.#skipped = 0;
    this.#release();
    return line;
  }

  #hold(bytes: Buffer): void {
    const needed = this.#held + bytes.length;
    if (this.#skipped > 0) this.#skipped += bytes.length;
    else if (needed > this.#maxLine) {
      this.#skipped = needed;
      this.#release();
    } else {
      if (needed > this.#buffer.length) this.#grow(needed);
      bytes.copy(this.#buffer, this.#held);
      this.#held = needed;
    }
  }

  /** Doubling keeps a line that arrives byte by byte linear. */
  #grow(needed: number): void {
    const capacity = Math.min(Math.max(needed, this.#buffer.length * 2), Math.max(needed, this.#maxLine));
    const larger = Buffer.allocUnsafeSlow(capacity);
    this.#buffer.copy(larger, 0, 0, this.#held);
    this.#buffer = larger;
  }

  #release(): void {
    this.#held = 0;
    if (this.#buffer.length > SMALL) this.#buffer = Buffer.allocUnsafeSlow(SMALL);
  }
}
