import type { Cli } from "../cli.ts";
import { type Styled, style } from "../terminal/styled.ts";
import type { Writer } from "../terminal/writer.ts";

const spinnerFrames = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏";

/**
 * What a command that streams shows: the agent's text on standard output, everything else in whole lines on standard
 * error. Where both are the same terminal it keeps lines from running into each other, and shows at the bottom what is
 * being waited for.
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

  /** The agent's words. A terminal gets them harmless, a pipe or file as they are. */
  text(text: string): void {
    this.whenFree(() => {
      this.hideStatus();
      this.stdout.speak(text);
    });
  }

  /** Ends the agent's line when it did not do so itself. */
  endText(): void {
    this.whenFree(() => this.stdout.endSpeech());
  }

  /** A whole line for the person. */
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

  /** What is going on, for as long as nothing else is said; only ever seen on a terminal. */
  busy(status: string): void {
    if (!this.stderr.isTerminal) return;
    this.status = status;
    this.timer ??= setInterval(() => this.spin(), 100).unref();
    if (status === "") this.hideStatus();
  }

  /**
   * Holds everything back until disposed, while the person types or decides. Otherwise an agent could print a fake
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

  /** Rewrites the bottom line; for what the person types. */
  input(line: string): void {
    this.stderr.redraw(line);
  }

  get isTerminal(): boolean {
    return this.stderr.isTerminal;
  }

  /** Characters in a line for people; elsewhere merely a bound. */
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
    // Never behind the agent's unfinished line: it would stay there.
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
