import { type EventBody, Fault } from "@drover/core";
import { type Store, StoreError } from "../ports.ts";
import type { AgentLink } from "./agent-link.ts";
import { untilStored } from "./background.ts";
import type { EngineDeps } from "./deps.ts";
import type { Change, Journal } from "./journal.ts";
import { Mailbox } from "./mailbox.ts";

export interface DeliveryOwner {
  readonly journal: Journal;
  readonly mailbox: Mailbox;
  readonly link: AgentLink;
  readonly deps: EngineDeps;
  commit(change: Change): Promise<void>;
  endTurn(turnId: string, fault: Fault): Promise<void>;
}

/** Brings prompts and answers to the agent. What is on its way is on record before its first byte is written. */
export class Delivery {
  private readonly answers = new Mailbox();
  private readonly owner: DeliveryOwner;
  private readonly store: Store;

  constructor(owner: DeliveryOwner, store: Store) {
    this.owner = owner;
    this.store = store;
  }

  /** From accepted to written, through `writing`: a prompt found there after a crash is never sent again by itself. */
  async prompt(turnId: string): Promise<void> {
    const { link, journal, mailbox, deps } = this.owner;
    try {
      // A process that is put to rest takes nothing more: this turn gets the next one.
      await link.settled();
      if (!link.isLive) await this.tell(turnId, "starting");
      // Cancelled or stopped meanwhile, it needs none.
      if (!this.isWanted(turnId)) return;
      if (link.startsWithPrompt) {
        const content = await this.contentOf(turnId);
        await link.startWith({ turnId, content, begin: () => this.beginWriting(turnId) });
        // Whoever interrupted the turn while its process was starting could not be heard then.
        if (journal.row.runtime.prompt?.interrupted) await link.cancel(turnId);
        return;
      }
      const connection = await link.ensure();
      const content = await this.contentOf(turnId);
      if (!(await this.beginWriting(turnId))) return;
      await connection.prompt(turnId, content);
      await untilStored(deps, () => mailbox.run(() => this.finishWriting(turnId)));
    } catch (error) {
      // Nothing of it is lost: whoever delivers it tries again when the store takes it.
      if (error instanceof StoreError) throw error;
      const fault = error instanceof Fault ? error : this.bug(error);
      // A process that ends while its prompt is being written reports that itself, with the reason; and a start
      // given up on by a stop or a shutdown is for those to finish.
      if (fault === error && (link.isLive || link.isClosing)) return;
      if (!journal.row.runtime.stopping) await this.owner.endTurn(turnId, fault);
    }
  }

  /** Ours, and nobody else would end the turn for it. */
  private bug(error: unknown): Fault {
    const trace = error instanceof Error ? (error.stack ?? error.message) : String(error);
    const session = this.owner.journal.row.id;
    this.owner.deps.logger.error("a prompt was not delivered by a bug", { session, error: trace });
    return new Fault("AGENT_UNREACHABLE", "Drover could not hand over the prompt; the server's log says why");
  }

  /** Every settled request the agent has not heard of. One at a time: no answer is told twice. */
  answerPending(): Promise<void> {
    return this.answers.run(async () => {
      const { link, journal, mailbox } = this.owner;
      for (const [key, request] of Object.entries(journal.row.runtime.pending)) {
        if (!request.answer || !(await link.answer(key, request.answer))) continue;
        await mailbox.run(async () => {
          const { [key]: delivered, ...pending } = journal.row.runtime.pending;
          if (delivered) await journal.commit({ runtime: { pending }, durability: "output" });
        });
      }
    });
  }

  private isWanted(turnId: string): boolean {
    const { state, row } = this.owner.journal;
    return state.turn?.id === turnId && !row.runtime.stopping;
  }

  private beginWriting(turnId: string): Promise<boolean> {
    const { journal, mailbox, deps } = this.owner;
    const begin = async () => {
      if (!this.isWanted(turnId) || journal.row.runtime.prompt?.phase !== "accepted") return false;
      const running: EventBody[] =
        journal.state.told === "starting" ? [{ type: "session_status", turnId, state: "running" }] : [];
      await this.owner.commit({
        events: running,
        runtime: { prompt: { turnId, phase: "writing" } },
        durability: "command",
      });
      return true;
    };
    return untilStored(deps, () => mailbox.run(begin));
  }

  private async finishWriting(turnId: string): Promise<void> {
    const { prompt } = this.owner.journal.row.runtime;
    if (prompt?.turnId !== turnId || prompt.phase !== "writing") return;
    await this.owner.commit({ runtime: { prompt: { ...prompt, phase: "written" } }, durability: "output" });
  }

  private async tell(turnId: string, state: "starting"): Promise<void> {
    await this.owner.mailbox.run(async () => {
      if (!this.isWanted(turnId)) return;
      await this.owner.commit({ events: [{ type: "session_status", turnId, state }], durability: "output" });
    });
  }

  /** The log is where a prompt is kept, for a restarted server as for this one. */
  private async contentOf(turnId: string): Promise<string> {
    const { id, state } = this.owner.journal.row;
    const items = await this.store.items(id, state.lastSeq + 1, 20);
    const item = items.find((i) => i.kind === "user" && i.turnId === turnId);
    if (item?.text === undefined) throw new Error(`The log of ${id} has no prompt for ${turnId}`);
    return item.text;
  }
}
