import type { Cli } from "../cli.ts";
import { columnsOf, harmless, type Style, styleFor } from "./style.ts";

const spinnerFrames = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏";

/**
 * The one writer of a command that streams: the agent's text goes to standard output, everything else in whole lines
 * to standard error. Where both are the same terminal it keeps lines from running into each other, and shows at the
 * bottom what is being waited for.
 */
export class Screen implements Disposable {
  readonly style: Style;
  private readonly cli: Cli;
  private readonly isShared: boolean;
  private textColumn = 0;
  private held: (() => void)[] | undefined;
  private status = "";
  private isStatusShown = false;
  private tick = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(cli: Cli) {
    this.cli = cli;
    this.style = styleFor(cli.stderr, cli.settings);
    this.isShared = Boolean(cli.stdout.isTTY && cli.stderr.isTTY);
  }

  /** The agent's words. A terminal gets them harmless, a pipe or file as they are. */
  text(text: string): void {
    this.whenFree(() => {
      const shown = this.cli.stdout.isTTY ? harmless(text) : text;
      if (shown === "") return;
      this.hideStatus();
      this.cli.stdout.write(shown);
      this.textColumn = shown.endsWith("\n") ? 0 : 1;
    });
  }

  /** Ends the agent's line when it did not do so itself. */
  endText(): void {
    this.whenFree(() => this.breakText());
  }

  /** A whole line for the person. */
  line(line = ""): void {
    this.whenFree(() => {
      this.hideStatus();
      if (this.isShared) this.breakText();
      this.cli.stderr.write(`${line}\n`);
    });
  }

  /** What is going on, for as long as nothing else is said; only ever seen on a terminal. */
  busy(status: string): void {
    if (!this.cli.stderr.isTTY) return;
    this.status = status;
    this.timer ??= setInterval(() => this.spin(), 100).unref();
    if (status === "") this.hideStatus();
  }

  /** Until `release` everything waits: the person is typing. */
  hold(): void {
    this.hideStatus();
    if (this.isShared) this.breakText();
    this.held ??= [];
  }

  release(): void {
    const held = this.held ?? [];
    this.held = undefined;
    for (const write of held) write();
  }

  /** Rewrites the bottom line; for what the person types. */
  input(line: string): void {
    this.cli.stderr.write(`\r\u001b[K${line}`);
  }

  /** Characters in a line for people; elsewhere merely a bound. */
  get width(): number {
    return this.cli.stderr.isTTY ? columnsOf(this.cli.stderr) : 500;
  }

  [Symbol.dispose](): void {
    clearInterval(this.timer);
    this.release();
    this.hideStatus();
  }

  private whenFree(write: () => void): void {
    if (this.held) this.held.push(write);
    else write();
  }

  private breakText(): void {
    if (this.textColumn === 0) return;
    this.textColumn = 0;
    this.cli.stdout.write("\n");
  }

  private spin(): void {
    // Never behind the agent's unfinished line: it would stay there.
    if (this.status === "" || this.held || (this.isShared && this.textColumn !== 0)) return;
    const frame = spinnerFrames[this.tick++ % spinnerFrames.length];
    this.isStatusShown = true;
    this.cli.stderr.write(`\r\u001b[K${this.style.dim(`${frame} ${this.status}`)}`);
  }

  private hideStatus(): void {
    if (!this.isStatusShown) return;
    this.isStatusShown = false;
    this.cli.stderr.write("\r\u001b[K");
  }
}
