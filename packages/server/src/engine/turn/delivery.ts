import { type AgentAnswer, type Attempt, Fault, isSameAttempt, isSlashCommand } from "@drover/core";
import { type AgentConnection, type Prompt, type SessionRuntime, StoreError } from "../../ports.ts";
import { accountFor } from "../accounts/choose.ts";
import type { AgentLink } from "../agent/link.ts";
import { requireDirectory } from "../agent/open-request.ts";
import type { Checkpointer } from "../checkpoints/checkpointer.ts";
import type { SessionLog } from "../session/log.ts";
import { Mailbox } from "../session/mailbox.ts";
import { retryNote } from "../workers/retry-note.ts";
import { slotFor } from "../workers/slot-of.ts";
import { attachedTo } from "./attached.ts";
import { contextDue, promptArrived } from "./message-context.ts";
import { settleAttempt } from "./settle-attempt.ts";

/** How long it may take to notice the end of a process. */
const DEATH_NOTICE_MS = 1_000;

interface DeliveryParts {
  readonly log: SessionLog;
  readonly link: AgentLink;
  readonly checkpointer: Checkpointer;
}

/** Sends prompts and answers to the agent. Each is recorded before its first byte is written. */
export class Delivery {
  private readonly answers = new Mailbox();
  private readonly log: SessionLog;
  private readonly link: AgentLink;
  private readonly checkpointer: Checkpointer;

  constructor({ log, link, checkpointer }: DeliveryParts) {
    this.log = log;
    this.link = link;
    this.checkpointer = checkpointer;
  }

  /**
   * From accepted to written, through `writing`: a prompt found in that phase after a crash is never resent automatically.
   */
  async prompt(attempt: Attempt): Promise<void> {
    const { link, log } = this;
    const { journal } = log;
    const { turnId } = attempt;
    let connection: AgentConnection | undefined;
    try {
      // A process that is being retired accepts nothing more: this turn gets the next one.
      await link.settled();
      using slot = await slotFor(log, link, attempt);
      if (!slot) return;
      await this.useAccount(attempt);
      if (!link.live) await this.reportStarting(attempt);
      // Every start checks it; a process that is still alive would work in a directory that no longer exists.
      else await requireDirectory(log);
      // If it was cancelled or stopped in the meantime, it needs none.
      if (!this.isWanted(attempt)) return;
      // What the setup writes is no change of this turn: its checkpoint comes later.
      if (link.needsSetup) {
        // It worked in a directory that is gone.
        if (link.live) await link.stop("turn_over");
        await link.setUp();
      }
      if (!this.isWanted(attempt)) return;
      // Not awaited yet: the agent starts while the checkpoint is being taken.
      const checkpoint = this.checkpointer.before(attempt);
      if (link.startsWithPrompt) {
        const prompt = { ...(await this.promptOf(attempt)), checkpoint: await checkpoint };
        const isGated = prompt.checkpoint?.isGated === true;
        await link.startWith({ turnId, isGated, ...prompt, begin: () => this.beginWriting(attempt, prompt) });
        // The agent could not be asked while its process was starting.
        if (journal.row.runtime.attempt?.prompt.interrupted) await link.cancel(turnId);
        return;
      }
      connection = await link.ensure();
      using _kept = connection.keep?.();
      // People change it between turns.
      await connection.setPermissionMode?.(journal.row.about.permissionMode);
      const prompt = { ...(await this.promptOf(attempt)), checkpoint: await checkpoint };
      if (!(await this.beginWriting(attempt, prompt))) return;
      await connection.prompt(turnId, prompt.content, prompt);
      await log.untilStored(() => this.finishWriting(attempt));
    } catch (error) {
      // Nothing is lost: the caller retries when the store accepts it.
      if (error instanceof StoreError) throw error;
      const fault = error instanceof Fault ? error : this.bug(error);
      // A stop or shutdown that aborted the start ends the turn itself.
      if (link.isClosing) return;
      // By now the next attempt may have its own process.
      const live = connection ?? link.live;
      // If the process died while its prompt was being written, its exit ends the turn with a better reason.
      if (live) await endsWithin(live, DEATH_NOTICE_MS);
      if (journal.row.runtime.stopping) return;
      const settled = settleAttempt(log, attempt, { type: "failed", fault });
      // It is unknown how much of the prompt its input holds: the next prompt gets a new process.
      if (live && live === link.live) await link.stop("error");
      await settled;
    }
  }

  /** Sends every answer the agent has not received. One at a time, so that no answer is sent twice. */
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

  /** False if it was not delivered: the agent is gone, or asks again when it is reattached. */
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

  /** The account belongs to the agent's process: another account needs another process. */
  private async useAccount(attempt: Attempt): Promise<void> {
    const { link, log } = this;
    const account = await accountFor(log, attempt);
    const { runtime } = log.journal.row;
    if (account !== runtime.account && link.live) await link.stop("turn_over");
    if (account === runtime.account && account === attempt.account) return;
    await log.untilStored(async () => {
      const { attempt: current } = log.journal.row.runtime;
      if (!this.isWanted(attempt) || !current) return;
      const next = account === undefined ? {} : { attempt: { ...current, account } };
      await log.commit({ runtime: { account: account ?? null, ...next }, durability: "command" });
    });
  }

  private async reportStarting(attempt: Attempt): Promise<void> {
    await this.log.mailbox.run(async () => {
      if (!this.isWanted(attempt)) return;
      await this.log.perform({ type: "report_state", state: "starting" }, { durability: "output" });
    });
  }

  /** False if it is no longer wanted, or already on its way. */
  private beginWriting(
    wanted: Attempt,
    { content, checkpoint }: Prompt & { readonly checkpoint: SessionRuntime["checkpoint"] },
  ): Promise<boolean> {
    const { log } = this;
    return log.untilStored(async () => {
      const { attempt } = log.journal.row.runtime;
      if (!this.isWanted(wanted) || attempt?.prompt.phase !== "accepted") return false;
      const bare = isSlashCommand(content) ? { isBare: true as const } : {};
      const prompt = { ...attempt.prompt, ...bare, phase: "writing" as const };
      const runtime = { attempt: { ...attempt, prompt }, ...(checkpoint ? { checkpoint } : {}) };
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

  /** Prompts are kept in the log, for a restarted server as well as for this one. */
  private async promptOf(attempt: Attempt): Promise<Prompt> {
    const { turnId, prompt } = attempt;
    const { deps, journal } = this.log;
    const { id } = journal.row;
    const { seq } = prompt;
    const [item] = await deps.store.items(id, seq + 1, 1);
    if (item?.seq !== seq || item.text === undefined || item.turnId !== turnId)
      throw new Error(`The log of ${id} has no prompt for ${turnId} at ${seq}`);
    const content = item.text;
    const attached = await attachedTo(deps, id, item.attachments);
    const context = [...retryNote(journal.row, attempt), ...(await contextDue(this.log))];
    return { content, ...attached, context: isSlashCommand(content) ? [] : context };
  }

  /** Our bug, and nothing else would end the turn for it. */
  private bug(error: unknown): Fault {
    const trace = error instanceof Error ? (error.stack ?? error.message) : String(error);
    const { deps, journal } = this.log;
    deps.logger.error("A bug prevented the delivery of a prompt", { session: journal.row.id, error: trace });
    return new Fault("AGENT_UNREACHABLE", "Drover could not deliver the prompt; see the server's log");
  }
}

async function endsWithin({ ended }: AgentConnection, ms: number): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  await Promise.race([ended, late]);
  clearTimeout(timer);
}
