import type { Attempt, Steer } from "@drover/core";
import type { AgentLink } from "../agent/link.ts";
import type { SessionLog } from "../session/log.ts";
import { Mailbox } from "../session/mailbox.ts";
import { attachedTo } from "./attached.ts";

/**
 * Delivers steering messages to the agent in its running turn. Such a message waits in the queue until the turn's
 * prompt is written; if the turn ends first, it starts the next one.
 */
export class Steering {
  private readonly turns = new Mailbox();
  private readonly log: SessionLog;
  private readonly link: AgentLink;

  constructor(log: SessionLog, link: AgentLink) {
    this.log = log;
    this.link = link;
  }

  /** One at a time: they arrive in the order they were sent. */
  deliver(): Promise<void> {
    return this.turns.run(async () => {
      if (this.attempt?.prompt.phase !== "written") return;
      // Messages an earlier server or attempt may or may not have written: the agent recognizes a repetition by its id.
      for (const steer of this.steers.filter(({ isWritten }) => !isWritten)) await this.repeat(steer);
      while (await this.deliverNext());
    });
  }

  private get attempt(): Attempt | undefined {
    return this.log.journal.row.runtime.attempt;
  }

  private get steers(): readonly Steer[] {
    return this.attempt?.prompt.steers ?? [];
  }

  /** False if nothing is left to send now. */
  private async deliverNext(): Promise<boolean> {
    const { log } = this;
    const taken = await log.untilStored(async () => {
      const { attempt } = this;
      const { state } = log.journal;
      const message = state.queue.find(({ steer }) => steer);
      if (!message || attempt?.prompt.phase !== "written") return undefined;
      const { messageId, content, attachments } = message;
      const write = this.link.live?.steer?.(messageId);
      if (!write) return undefined;
      // The message's event is the second of two.
      const steers = [...this.steers, { messageId, seq: state.lastSeq + 2 }];
      await log.perform({ type: "steer", messageId }, { runtime: { attempt: withSteers(attempt, steers) } });
      return {
        messageId,
        write: async () => write(content, await attachedTo(log.deps, log.journal.row.id, attachments)),
      };
    });
    if (taken) await this.hand(taken.messageId, taken.write);
    return taken !== undefined;
  }

  private async repeat({ messageId, seq }: Steer): Promise<void> {
    const { deps, journal } = this.log;
    const [item] = await deps.store.items(journal.row.id, seq + 1, 1);
    const write = this.link.live?.steer?.(messageId);
    if (!write || item?.text === undefined) return;
    const { text: content, attachments } = item;
    await this.hand(messageId, async () =>
      write(content, await attachedTo(deps, journal.row.id, attachments)),
    );
  }

  /** A message that does not arrive was written to an agent that is gone: the end of its process ends the turn. */
  private async hand(messageId: string, write: () => Promise<void>): Promise<void> {
    const { log } = this;
    const arrived = await write().then(
      () => true,
      () => false,
    );
    if (!arrived) return;
    await log.untilStored(async () => {
      const { attempt } = this;
      if (!attempt?.prompt.steers) return;
      const steers = attempt.prompt.steers.map((steer) =>
        steer.messageId === messageId ? { ...steer, isWritten: true as const } : steer,
      );
      await log.commit({ runtime: { attempt: withSteers(attempt, steers) }, durability: "output" });
    });
  }
}

const withSteers = (attempt: Attempt, steers: readonly Steer[]): Attempt => ({
  ...attempt,
  prompt: { ...attempt.prompt, steers },
});
