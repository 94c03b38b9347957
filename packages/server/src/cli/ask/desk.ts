import type { Interaction } from "@drover/core";
import { RejectedError } from "../exit.ts";
import type { Client } from "../server/client.ts";
import { style } from "../terminal/styled.ts";
import { askedInFull, tellAsked } from "../view/asked.ts";
import type { Screen } from "../view/screen.ts";
import { oneLine } from "../view/text.ts";
import type { Keyboard } from "./keyboard.ts";
import { askPerson, type Settlement } from "./person.ts";
import { settle } from "./settle.ts";

export interface DeskOptions {
  readonly client: Client;
  readonly screen: Screen;
  /** Where a person can be asked; undefined without a terminal. */
  readonly keyboard: Keyboard | undefined;
  /** --server, repeated in the commands that are suggested. */
  readonly server?: string | undefined;
  /** Whether --yes covers this one. Questions are never answered for a person. */
  readonly isApproved?: (interaction: Interaction) => boolean;
  /** Called when something is left for a person elsewhere. */
  readonly onLeft?: (interaction: Interaction) => void;
  readonly onInterrupt: () => void;
  /** Resolves when keys are free to answer with: not in the middle of a line. */
  readonly untilFree?: () => Promise<void>;
  /** Something failed that the command cannot go on without. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Settles what a session asks, one thing at a time, while its stream goes on: at the keyboard, by --yes, or by telling
 * with which command any other terminal can do it. What is settled elsewhere leaves the desk.
 */
export class Desk implements Disposable {
  private readonly options: DeskOptions;
  private readonly open = new Map<string, { inputHash: string | undefined; leave: AbortController }>();
  private last: Promise<void> = Promise.resolve();

  constructor(options: DeskOptions) {
    this.options = options;
  }

  asked(interaction: Interaction): void {
    const { id, inputHash } = interaction;
    const before = this.open.get(id);
    if (before && before.inputHash === inputHash) return;
    before?.leave.abort();
    const leave = new AbortController();
    this.open.set(id, { inputHash, leave });
    const how = { signal: leave.signal, isChanged: before !== undefined };
    this.last = this.last.then(() => this.handle(interaction, how)).catch(this.options.onFailure);
  }

  resolved(interactionId: string): void {
    this.open.get(interactionId)?.leave.abort();
    this.open.delete(interactionId);
  }

  [Symbol.dispose](): void {
    for (const id of [...this.open.keys()]) this.resolved(id);
  }

  private async handle(
    interaction: Interaction,
    { signal, isChanged }: { signal: AbortSignal; isChanged: boolean },
  ): Promise<void> {
    const { isApproved, keyboard, screen } = this.options;
    if (signal.aborted) return;
    const { kind, offers } = interaction;
    // Nobody has read that the agent would remember it.
    if (kind === "approval" && !offers?.approve?.remembered && isApproved?.(interaction)) {
      screen.line(["  ", style.green("--yes"), ` ${askedInFull(interaction)}`]);
      return this.settle(interaction, { type: "approve", scope: "once" });
    }
    if (!keyboard) return this.leave(interaction);
    await this.options.untilFree?.();
    if (signal.aborted) return;
    const { onInterrupt } = this.options;
    const settlement = await askPerson(interaction, { screen, keyboard, signal, isChanged, onInterrupt });
    if (settlement) return this.settle(interaction, settlement);
    if (!signal.aborted) this.leave(interaction);
  }

  private leave(interaction: Interaction): void {
    const { screen, server, onLeft } = this.options;
    tellAsked(screen, interaction, server);
    onLeft?.(interaction);
  }

  private async settle(interaction: Interaction, settlement: Settlement): Promise<void> {
    try {
      await settle(this.options.client, interaction, settlement);
    } catch (error) {
      if (!(error instanceof RejectedError)) throw error;
      const { screen } = this.options;
      screen.line(style.yellow(`  ${oneLine(error.message)}`));
      // Gone or settled elsewhere: the session goes on. Otherwise it is still open, and not ours to settle this way.
      if (error.status !== 404 && error.status !== 409) this.leave(interaction);
    }
  }
}
