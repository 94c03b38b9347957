import type { Cli } from "../cli.ts";
import { type Styled, style } from "../terminal/styled.ts";
import type { Writer } from "../terminal/writer.ts";

const spinnerFrames = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏";

/**
 * The output of a command that streams: the agent's text on standard output, everything else in whole lines on standard
 * error. If both are the same terminal, it keeps lines from running into each other and shows a status at the bottom.
 */
export class Screen implements Disposable {
  private readonly stdout: Writer;
  private readonly stderr: Writer;
  private readonly isShared: boolean;
  private holds = 0;
  private held: (() => void)[] = [];
  private status = "";
  private isStatusShown = false;
  private tick = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor({ stdout, stderr }: Cli) {
    this.stdout = stdout;
    this.stderr = stderr;
    this.isShared = stdout.isTerminal && stderr.isTerminal;
  }

  /** The agent's text. It is made safe for a terminal; a pipe or file gets it unchanged. */
  text(text: string): void {
    this.whenFree(() => {
      this.hideStatus();
      this.stdout.speak(text);
    });
  }

  /** Ends the agent's line if it has no line break yet. */
  endText(): void {
    this.whenFree(() => this.stdout.endSpeech());
  }

  /** A whole line for people. */
  line(line: Styled = ""): void {
    this.whenFree(() => this.prompt(line));
  }

  lines(lines: Iterable<Styled>): void {
    for (const line of lines) this.line(line);
  }

  /** A line that is shown even while everything else is held back. */
  prompt(line: Styled): void {
    this.hideStatus();
    if (this.isShared) this.stdout.endSpeech();
    this.stderr.line(line);
  }

  /** A status that is shown until something else is printed. Terminals only. */
  busy(status: string): void {
    if (!this.stderr.isTerminal) return;
    this.status = status;
    this.timer ??= setInterval(() => this.spin(), 100).unref();
    if (status === "") this.hideStatus();
  }

  /**
   * Holds back all output until disposed, while the person types or decides. Otherwise an agent could print a fake
   * approval below the real one.
   */
  hold(): Disposable {
    this.hideStatus();
    if (this.isShared) this.stdout.endSpeech();
    this.holds++;
    let isHeld = true;
    return {
      [Symbol.dispose]: () => {
        if (!isHeld) return;
        isHeld = false;
        this.holds--;
        if (this.holds === 0) this.release();
      },
    };
  }

  /** Redraws the bottom line with what the person types. */
  input(line: string): void {
    this.stderr.redraw(line);
  }

  get isTerminal(): boolean {
    return this.stderr.isTerminal;
  }

  /** The width of a line; an upper bound without a terminal. */
  get width(): number {
    return this.isTerminal ? this.stderr.columns() : 500;
  }

  [Symbol.dispose](): void {
    clearInterval(this.timer);
    this.holds = 0;
    this.release();
    this.hideStatus();
  }

  private release(): void {
    const held = this.held;
    this.held = [];
    for (const write of held) write();
  }

  private whenFree(write: () => void): void {
    if (this.holds > 0) this.held.push(write);
    else write();
  }

  private spin(): void {
    // Not after an unfinished line of the agent's, where it could not be erased.
    if (this.status === "" || this.holds > 0 || (this.isShared && this.stdout.isSpeaking)) return;
    const frame = spinnerFrames[this.tick++ % spinnerFrames.length];
    this.isStatusShown = true;
    this.stderr.redraw(`${frame} ${this.status}`, style.dim);
  }

  private hideStatus(): void {
    if (!this.isStatusShown) return;
    this.isStatusShown = false;
    this.stderr.redraw("");
  }
}
