import type { Cli } from "../cli.ts";
import type { Client } from "../server/client.ts";
import { sessionPath } from "../server/paths.ts";
import { style } from "../terminal/styled.ts";
import type { Screen } from "../view/screen.ts";

export interface InterruptOptions {
  readonly client: Client;
  readonly screen: Screen;
  readonly sessionId: string;
  /** The second Ctrl-C: leave, and let the session go on. */
  readonly onDetach: () => void;
}

/** What Ctrl-C means while a turn is watched: the first ends the turn, the second only the watching. */
export class Interrupts implements Disposable {
  /** Whether the turn was asked to end from here. */
  hasInterrupted = false;
  private readonly options: InterruptOptions;
  private readonly listening: Disposable;

  constructor(cli: Cli, options: InterruptOptions) {
    this.options = options;
    this.listening = cli.onInterrupt(() => this.press());
  }

  press(): void {
    const { client, screen, sessionId, onDetach } = this.options;
    if (this.hasInterrupted) {
      onDetach();
      return;
    }
    this.hasInterrupted = true;
    screen.prompt(style.dim("Interrupting the turn. Ctrl-C again leaves it running."));
    client.post(sessionPath(sessionId, "interrupt")).catch((error: unknown) => {
      screen.prompt(style.yellow(`It could not be interrupted: ${String(error)}`));
      this.hasInterrupted = false;
    });
  }

  /** A turn ended: the next Ctrl-C is a first one again. */
  reset(): void {
    this.hasInterrupted = false;
  }

  [Symbol.dispose](): void {
    this.listening[Symbol.dispose]();
  }
}
