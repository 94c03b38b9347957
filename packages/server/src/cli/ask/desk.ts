import type { Interaction } from "@drover/core";
import { RejectedError } from "../exit.ts";
import type { Client } from "../server/client.ts";
import { style } from "../terminal/styled.ts";
import { approvedWords, showAsked } from "../view/asked.ts";
import type { Screen } from "../view/screen.ts";
import { oneLine } from "../view/text.ts";
import type { Keyboard } from "./keyboard.ts";
import { askPerson, type Settlement } from "./person.ts";
import { settle } from "./settle.ts";

export interface DeskOptions {
  readonly client: Client;
  readonly screen: Screen;
  /** Undefined without a terminal: then there is no one to ask here. */
  readonly keyboard: Keyboard | undefined;
  /** --server, repeated in suggested commands. */
  readonly server?: string | undefined;
  /** Whether --yes covers this approval. Questions are never answered automatically. */
  readonly isApproved?: (interaction: Interaction) => boolean;
  /** Called when an approval or question is left open for later. */
  readonly onDeferred?: (interaction: Interaction) => void;
  readonly onInterrupt: () => void;
  /** Resolves when the person is not in the middle of typing a line. */
  readonly untilFree?: () => Promise<void>;
  /** Called with an error that the command cannot continue after. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Settles a session's approvals and questions one at a time while its stream continues: at the keyboard, by --yes, or by
 * printing the command that settles them from another terminal. Those settled elsewhere are removed.
 */
export class Desk implements Disposable {
  private readonly options: DeskOptions;
  private readonly open = new Map<string, { inputHash: string | undefined; cancel: AbortController }>();
  private last: Promise<void> = Promise.resolve();

  constructor(options: DeskOptions) {
    this.options = options;
  }

  asked(interaction: Interaction): void {
    const { id, inputHash } = interaction;
    const before = this.open.get(id);
    if (before && before.inputHash === inputHash) return;
    before?.cancel.abort();
    const cancel = new AbortController();
    this.open.set(id, { inputHash, cancel });
    const context = { signal: cancel.signal, isChanged: before !== undefined };
    this.last = this.last.then(() => this.handle(interaction, context)).catch(this.options.onFailure);
  }

  resolved(interactionId: string): void {
    this.open.get(interactionId)?.cancel.abort();
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
    // --yes must not give an approval that the agent would remember: no one has read it.
    if (kind === "approval" && !offers?.approve?.remembered && isApproved?.(interaction)) {
      screen.line(["  ", style.green("auto-approved:"), ` ${approvedWords(interaction)}`]);
      return this.settle(interaction, { type: "approve", scope: "once" });
    }
    if (!keyboard) return this.defer(interaction);
    await this.options.untilFree?.();
    if (signal.aborted) return;
    const { onInterrupt } = this.options;
    const settlement = await askPerson(interaction, { screen, keyboard, signal, isChanged, onInterrupt });
    if (settlement) return this.settle(interaction, settlement);
    if (!signal.aborted) this.defer(interaction);
  }

  private defer(interaction: Interaction): void {
    const { screen, server, onDeferred } = this.options;
    showAsked(screen, interaction, server);
    onDeferred?.(interaction);
  }

  private async settle(interaction: Interaction, settlement: Settlement): Promise<void> {
    try {
      await settle(this.options.client, interaction, settlement);
    } catch (error) {
      if (!(error instanceof RejectedError)) throw error;
      const { screen } = this.options;
      screen.line(style.yellow(`  ${oneLine(error.message)}`));
      // 404 and 409: gone or settled elsewhere. Otherwise it is still open, for someone else to settle.
      if (error.status !== 404 && error.status !== 409) this.defer(interaction);
    }
  }
}
