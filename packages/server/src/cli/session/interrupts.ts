import type { Cli } from "../cli.ts";
import type { Client } from "../server/client.ts";
import { sessionPath } from "../server/paths.ts";
import { style } from "../terminal/styled.ts";
import type { Screen } from "../view/screen.ts";

export interface InterruptOptions {
  readonly client: Client;
  readonly screen: Screen;
  readonly sessionId: string;
  /** Called on the second Ctrl-C: stop watching and leave the session running. */
  readonly onDetach: () => void;
}

/** Handles Ctrl-C while a turn is watched: the first one interrupts the turn, the second one stops watching. */
export class Interrupts implements Disposable {
  /** Whether the turn was interrupted from here. */
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
    screen.prompt(style.dim("Interrupting the turn. Press Ctrl-C again to leave without waiting."));
    client.post(sessionPath(sessionId, "interrupt")).catch((error: unknown) => {
      screen.prompt(style.yellow(`Could not interrupt the turn: ${String(error)}`));
      this.hasInterrupted = false;
    });
  }

  /** To be called when a turn ends: the next Ctrl-C counts as the first one again. */
  reset(): void {
    this.hasInterrupted = false;
  }

  [Symbol.dispose](): void {
    this.listening[Symbol.dispose]();
  }
}
