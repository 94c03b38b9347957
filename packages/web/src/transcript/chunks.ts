/** Long enough to keep chunks few, short enough that parsing the last one again for every update is cheap. */
const chunkLength = 3_000;

/** A line that starts a new block whatever precedes it: a heading, or a paragraph. */
const fresh = /^(?:#{1,6} |\p{L})/u;
/** A fence and the text after it. With backticks in that text, it is inline code instead. */
const fence = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})(.*)$/;

/**
 * Splits Markdown between blocks and outside code, where splitting does not change the result. While the text grows,
 * only its last chunk changes.
 */
export class Chunks {
  private text = "";
  private readonly done: string[] = [];
  /** The start of the last, unfinished chunk, and of the first unread line. */
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
    const last = text.slice(this.begin);
    return last === "" ? this.done : [...this.done, last];
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
