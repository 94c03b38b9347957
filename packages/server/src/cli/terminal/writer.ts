import type { Readable, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { HarmlessStream, harmless, harmlessJson, harmlessLine } from "./harmless.ts";
import { paints, type Styled } from "./styled.ts";
import { fitStart } from "./width.ts";

export type Output = Writable & { isTTY?: boolean; columns?: number };

const clearLine = "\r\u001b[K";

/**
 * The only way to write to standard output and standard error. A terminal gets only text, our own colours and the few
 * sequences below, no matter what an agent, a repository or a server wrote.
 */
export class Writer {
  private readonly stream: Output;
  private readonly hasColour: boolean;
  private readonly speech = new HarmlessStream();
  private isInLine = false;

  constructor(stream: Output, { colour }: { readonly colour: boolean }) {
    this.stream = stream;
    this.hasColour = colour && stream.isTTY === true;
  }

  get isTerminal(): boolean {
    return this.stream.isTTY === true;
  }

  /** Columns of the terminal. Some terminals report 0, or nothing. */
  columns(otherwise = 80): number {
    return this.stream.columns || otherwise;
  }

  /** Columns available for a line: unlimited without a terminal. */
  get room(): number {
    return this.isTerminal ? this.columns() : Number.POSITIVE_INFINITY;
  }

  /** Always exactly one line: line breaks inside are spelled out. */
  line(text: Styled = ""): void {
    this.put(`${this.render(text)}\n`);
  }

  lines(lines: Iterable<Styled>): void {
    for (const line of lines) this.line(line);
  }

  /** Drover's own text of several lines, such as help. */
  paragraph(text: string): void {
    this.put(text.endsWith("\n") ? harmless(text) : `${harmless(text)}\n`);
  }

  /** Another program's text as it streams in. A pipe or file gets it unchanged. */
  speak(text: string): void {
    this.put(this.isTerminal ? this.speech.push(text) : text);
  }

  /** Whether the last line written is still open. */
  get isSpeaking(): boolean {
    return this.isInLine;
  }

  /** Ends the line that `speak` left open. */
  endSpeech(): void {
    this.put(this.speech.end());
    if (this.isInLine) this.put("\n");
  }

  /** Copies another program's bytes to the end of `source`. A pipe or file gets them unchanged. */
  async copy(source: Readable): Promise<void> {
    if (!this.isTerminal) return pipeline(source, this.stream, { end: false });
    await pipeline(source, harmlessPieces, this.stream, { end: false });
  }

  /** Waits until a pipe has taken everything that was written: the end of the process would drop the rest. */
  flush(): Promise<void> {
    return new Promise((resolve) => this.stream.write("", () => resolve()));
  }

  /** One line of JSON. */
  json(value: unknown): void {
    this.frame(JSON.stringify(value));
  }

  /** JSON that a server sent, as one line. */
  frame(json: string): void {
    this.put(`${this.isTerminal ? harmlessJson(json) : json}\n`);
  }

  /** Rewrites the bottom line of a terminal. Cut to one row, because a second row could not be erased. */
  redraw(text: string, paint?: (text: string) => Styled): void {
    const shown = fitStart(harmlessLine(text).replaceAll("\t", " "), this.columns() - 1);
    this.stream.write(`${clearLine}${this.render(paint ? paint(shown) : shown)}`);
  }

  /** Bracketed paste: lets the keyboard distinguish pasted text from typed keys. */
  markPastes(on: boolean): void {
    this.stream.write(`\u001b[?2004${on ? "h" : "l"}`);
  }

  private put(text: string): void {
    if (text === "") return;
    this.isInLine = !text.endsWith("\n");
    this.stream.write(text);
  }

  private render(text: Styled): string {
    if (typeof text === "string") return harmlessLine(text);
    if (!("paint" in text)) return text.map((part) => this.render(part)).join("");
    const words = this.render(text.text);
    const [on, off] = paints[text.paint];
    return this.hasColour && words !== "" ? `\u001b[${on}m${words}\u001b[${off}m` : words;
  }
}

async function* harmlessPieces(source: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const harmlessly = new HarmlessStream();
  for await (const bytes of source) yield harmlessly.push(decoder.decode(bytes, { stream: true }));
  yield harmlessly.push(decoder.decode()) + harmlessly.end();
}
