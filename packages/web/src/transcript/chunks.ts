/** Long enough that there are few, short enough that reading the last one again with every word costs nothing. */
const chunkLength = 3_000;

/** A line that begins something of its own, whatever stands before it: a heading, or a paragraph's first letter. */
const fresh = /^(?:#{1,6} |\p{L})/u;
const fence = /^ {0,3}(?:`{3,}|~{3,})/;

/**
 * Markdown cut where cutting changes nothing: between blocks, outside of code. Text that grows keeps its chunks, and
 * only its last one changes.
 */
export class Chunks {
  private text = "";
  private readonly done: string[] = [];
  /** Where the last, unfinished chunk begins, and where reading goes on: the first line not yet read. */
  private begin = 0;
  private at = 0;
  private inFence = false;
  private afterBlank = false;

  read(text: string): readonly string[] {
    if (!text.startsWith(this.text.slice(0, this.at))) this.restart();
    this.text = text;
    for (let end = text.indexOf("\n", this.at); end >= 0; end = text.indexOf("\n", this.at)) {
      this.line(text.slice(this.at, end));
      this.at = end + 1;
    }
    const rest = text.slice(this.begin);
    return rest === "" ? this.done : [...this.done, rest];
  }

  private line(line: string): void {
    const isLong = this.at - this.begin >= chunkLength;
    if (isLong && this.afterBlank && !this.inFence && fresh.test(line)) {
      this.done.push(this.text.slice(this.begin, this.at));
      this.begin = this.at;
    }
    if (fence.test(line)) this.inFence = !this.inFence;
    this.afterBlank = line.trim() === "";
  }

  private restart(): void {
    this.done.length = 0;
    this.begin = 0;
    this.at = 0;
    this.inFence = false;
    this.afterBlank = false;
  }
}
