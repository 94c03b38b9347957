import { type AgentAnswer, type Attempt, Fault, isSameAttempt, isSlashCommand } from "@drover/core";
import { type AgentConnection, type Prompt, StoreError } from "../../ports.ts";
import type { AgentLink } from "../agent/link.ts";
import type { SessionLog } from "../session/log.ts";
import { Mailbox } from "../session/mailbox.ts";
import { contextDue, promptArrived } from "./message-context.ts";
import { settleAttempt } from "./settle-attempt.ts";

/** How long the end of a process may take to be noticed. */
const DEATH_NOTICE_MS = 1_000;

/** Brings prompts and answers to the agent. What is on its way is on record before its first byte is written. */
export class Delivery {
  private readonly answers = new Mailbox();
  private readonly log: SessionLog;
  private readonly link: AgentLink;
  /** The account of the attempt that was delivered last. */
  private account: string | undefined;

  constructor(log: SessionLog, link: AgentLink) {
    this.log = log;
    this.link = link;
  }

  /** From accepted to written, through `writing`: a prompt found there after a crash is never sent again by itself. */
  async prompt(attempt: Attempt): Promise<void> {
    const { link, log } = this;
    const { journal } = log;
    const { turnId } = attempt;
    let connection: AgentConnection | undefined;
    try {
      // A process that is put to rest takes nothing more: this turn gets the next one.
      await link.settled();
      await this.useAccount(attempt);
      if (!link.live) await this.reportStarting(attempt);
      // Cancelled or stopped meanwhile, it needs none.
      if (!this.isWanted(attempt)) return;
      if (link.startsWithPrompt) {
        const prompt = await this.promptOf(attempt);
        await link.startWith({ turnId, ...prompt, begin: () => this.beginWriting(attempt, prompt) });
        // The agent could not be asked while its process was starting.
        if (journal.row.runtime.attempt?.prompt.interrupted) await link.cancel(turnId);
        return;
      }
      connection = await link.ensure();
      using _kept = connection.keep?.();
      // People change it between turns.
      await connection.setPermissionMode?.(journal.row.about.permissionMode);
      const prompt = await this.promptOf(attempt);
      if (!(await this.beginWriting(attempt, prompt))) return;
      await connection.prompt(turnId, prompt.content, prompt.context);
      await log.untilStored(() => this.finishWriting(attempt));
    } catch (error) {
      // Nothing of it is lost: whoever delivers it tries again when the store takes it.
      if (error instanceof StoreError) throw error;
      const fault = error instanceof Fault ? error : this.bug(error);
      // A stop or a shutdown that cut the start short ends the turn itself.
      if (link.isClosing) return;
      // By now the next attempt may have a process of its own.
      const live = connection ?? link.live;
      // A process that died while its prompt was being written ends the turn with the better reason.
      if (live) await endsWithin(live, DEATH_NOTICE_MS);
      if (journal.row.runtime.stopping) return;
      const settled = settleAttempt(log, attempt, { type: "failed", fault });
      // Nobody knows how much of the prompt its input holds: the next prompt gets a new process.
      if (live && live === link.live) await link.stop("error");
      await settled;
    }
  }

  /** Every settled request the agent has not heard of. One at a time: no answer is told twice. */
  answerPending(): Promise<void> {
    return this.answers.run(async () => {
      const { journal, mailbox } = this.log;
      for (const [key, request] of Object.entries(journal.row.runtime.pending)) {
        if (!request.answer || !(await this.answer(key, request.answer))) continue;
        await mailbox.run(async () => {
          const { [key]: delivered, ...pending } = journal.row.runtime.pending;
          if (delivered) await journal.append({ runtime: { pending }, durability: "output" });
        });
      }
    });
  }

  /** False when it did not get there: the agent is gone, or asks again when it is found. */
  private async answer(requestKey: string, answer: AgentAnswer): Promise<boolean> {
    const { live } = this.link;
    if (!live) return false;
    return live.answer(requestKey, answer).then(
      () => true,
      () => false,
    );
  }

  private isWanted(attempt: Attempt): boolean {
    const { runtime } = this.log.journal.row;
    return isSameAttempt(runtime.attempt, attempt) && !runtime.stopping;
  }

  /** An account is a matter of the agent's process: another one needs another process. */
  private async useAccount({ account }: Attempt): Promise<void> {
    if (account !== this.account && this.link.live) await this.link.stop("turn_over");
    this.account = account;
  }

  private async reportStarting(attempt: Attempt): Promise<void> {
    await this.log.mailbox.run(async () => {
      if (!this.isWanted(attempt)) return;
      await this.log.perform({ type: "report_state", state: "starting" }, { durability: "output" });
    });
  }

  /** False when nobody wants it any more, or it is on its way already. */
  private beginWriting(wanted: Attempt, { content }: Prompt): Promise<boolean> {
    const { log } = this;
    return log.untilStored(async () => {
      const { attempt } = log.journal.row.runtime;
      if (!this.isWanted(wanted) || attempt?.prompt.phase !== "accepted") return false;
      const bare = isSlashCommand(content) ? { isBare: true as const } : {};
      const prompt = { ...attempt.prompt, ...bare, phase: "writing" as const };
      const runtime = { attempt: { ...attempt, prompt } };
      await log.perform({ type: "report_state", state: "running", from: "starting" }, { runtime });
      return true;
    });
  }

  private async finishWriting(attempt: Attempt): Promise<void> {
    const { row } = this.log.journal;
    if (!isSameAttempt(row.runtime.attempt, attempt)) return;
    const runtime = promptArrived(row);
    if (runtime) await this.log.commit({ runtime, durability: "output" });
  }

  /** The log is where a prompt is kept, for a restarted server as for this one. */
  private async promptOf({ turnId, prompt }: Attempt): Promise<Prompt> {
    const { deps, journal } = this.log;
    const { id } = journal.row;
    const { seq } = prompt;
    const [item] = await deps.store.items(id, seq + 1, 1);
    if (item?.seq !== seq || item.text === undefined || item.turnId !== turnId)
      throw new Error(`The log of ${id} has no prompt for ${turnId} at ${seq}`);
    const content = item.text;
    return { content, context: isSlashCommand(content) ? [] : await contextDue(this.log) };
  }

  /** Ours, and nobody else would end the turn for it. */
  private bug(error: unknown): Fault {
    const trace = error instanceof Error ? (error.stack ?? error.message) : String(error);
    const { deps, journal } = this.log;
    deps.logger.error("a prompt was not delivered by a bug", { session: journal.row.id, error: trace });
    return new Fault("AGENT_UNREACHABLE", "Drover could not hand over the prompt; the server's log says why");
  }
}

async function endsWithin({ ended }: AgentConnection, ms: number): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  await Promise.race([ended, late]);
  clearTimeout(timer);
}
