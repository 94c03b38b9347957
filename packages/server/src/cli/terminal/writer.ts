import type { Readable, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { HarmlessStream, harmless, harmlessJson, harmlessLine } from "./harmless.ts";
import { paints, type Styled } from "./styled.ts";
import { fitStart } from "./width.ts";

export type Output = Writable & { isTTY?: boolean; columns?: number };

const clearLine = "\r\u001b[K";

/**
 * The only way to standard output and standard error. A terminal gets text, our own colours and the few sequences below,
 * whatever an agent, a repository or a server put into the words.
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

  /** How many characters a line holds; a terminal that does not know says 0, or nothing. */
  columns(otherwise = 80): number {
    return this.stream.columns || otherwise;
  }

  /** As `columns`; without a terminal a line has no end. */
  get room(): number {
    return this.isTerminal ? this.columns() : Number.POSITIVE_INFINITY;
  }

  /** One line, also when something in it has line breaks. */
  line(text: Styled = ""): void {
    this.put(`${this.render(text)}\n`);
  }

  lines(lines: Iterable<Styled>): void {
    for (const line of lines) this.line(line);
  }

  /** Drover's own words on several lines, such as help. */
  paragraph(text: string): void {
    this.put(text.endsWith("\n") ? harmless(text) : `${harmless(text)}\n`);
  }

  /** Another program's words, as they come: a pipe or file gets them as they are. */
  speak(text: string): void {
    this.put(this.isTerminal ? this.speech.push(text) : text);
  }

  /** Whether speech has left its last line open. */
  get isSpeaking(): boolean {
    return this.isInLine;
  }

  /** Ends the line that speech left open. */
  endSpeech(): void {
    this.put(this.speech.end());
    if (this.isInLine) this.put("\n");
  }

  /** Another program's bytes, to the end of `source`: a pipe or file gets them as they are. */
  async copy(source: Readable): Promise<void> {
    if (!this.isTerminal) return pipeline(source, this.stream, { end: false });
    await pipeline(source, harmlessPieces, this.stream, { end: false });
  }

  /** A value, or the JSON that a server sent, on one line. */
  json(value: unknown): void {
    this.frame(JSON.stringify(value));
  }

  frame(json: string): void {
    this.put(`${this.isTerminal ? harmlessJson(json) : json}\n`);
  }

  /** Rewrites the bottom line of a terminal; never more than fits, since a second row could not be taken back. */
  redraw(text: string, paint?: (text: string) => Styled): void {
    const shown = fitStart(harmlessLine(text).replaceAll("\t", " "), this.columns() - 1);
    this.stream.write(`${clearLine}${this.render(paint ? paint(shown) : shown)}`);
  }

  /** Whether a terminal marks what is pasted, so that it can be told from keys. */
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
