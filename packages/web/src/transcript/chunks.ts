/** Long enough that there are few, short enough that reading the last one again with every word costs nothing. */
const chunkLength = 3_000;

/** A line that begins something of its own, whatever stands before it: a heading, or a paragraph's first letter. */
const fresh = /^(?:#{1,6} |\p{L})/u;
/** A fence and the text after it. With backticks in that text, it is inline code instead. */
const fence = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})(.*)$/;

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
  /** The fence of the current code block. A fence of the same kind closes it, if it is at least as long. */
  private openFence: string | undefined;
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
    if (isLong && this.afterBlank && this.openFence === undefined && fresh.test(line)) {
      this.done.push(this.text.slice(this.begin, this.at));
      this.begin = this.at;
    }
    this.readFence(line);
    this.afterBlank = line.trim() === "";
  }

  private readFence(line: string): void {
    const [, marks, info = ""] = fence.exec(line) ?? [];
    if (marks === undefined) return;
    const { openFence } = this;
    if (openFence === undefined) this.openFence = marks;
    else if (marks.startsWith(openFence) && info.trim() === "") this.openFence = undefined;
  }

  private restart(): void {
    this.done.length = 0;
    this.begin = 0;
    this.at = 0;
    this.openFence = undefined;
    this.afterBlank = false;
  }
}
