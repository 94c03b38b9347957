import { Fault, isSameAttempt } from "@drover/core";
import { untilStored } from "../background.ts";
import { finishDenial } from "../gate/settle-gate.ts";
import { recordExit, settleAttempt } from "../turn/settle-attempt.ts";
import type { SessionActor } from "./actor.ts";

export interface RecoverOptions {
  /** Ends the agent instead: a person asked the last server to. */
  readonly stopAgents?: boolean;
}

/** After a server crash: reattaches the agent and finishes what was started. It never resends a prompt. */
export async function recoverSession(actor: SessionActor, options: RecoverOptions = {}): Promise<void> {
  actor.isRecovering = true;
  try {
    await recover(actor, options);
    await untilStored(actor.log.deps, () => finishDenial(actor));
  } finally {
    actor.isRecovering = false;
  }
}

async function recover(actor: SessionActor, { stopAgents }: RecoverOptions): Promise<void> {
  const { journal, link, log } = actor;
  // Clients are already served: a turn that starts in the meantime is not this attempt's.
  const { attempt } = journal.row.runtime;
  if (journal.row.runtime.process?.ready && !stopAgents) await findAgain(actor);
  else await forgetProcess(actor);
  if (journal.row.runtime.stopping) return actor.finishStop();
  if (attempt && isSameAttempt(journal.row.runtime.attempt, attempt)) {
    const isTorn = journal.row.runtime.attempt?.prompt.phase === "writing";
    await settleAttempt(log, attempt, { type: "recovered", agent: link.live ? "found" : "gone" });
    // The turn has ended, but its agent may be working on a prompt that did arrive.
    if (isTorn) await link.cancel(attempt.turnId);
  }
  await actor.goOn();
}

/** Reattaches to the recorded process. */
async function findAgain({ id, link, log, turns }: SessionActor): Promise<void> {
  try {
    await link.attach();
  } catch (error) {
    log.deps.logger.warn("Could not reattach to an agent", { session: id, error: String(error) });
    await link.sweep();
    const { attempt } = log.journal.row.runtime;
    // The turn ends with the reason the agent can't be reached: reporting a crash would be wrong.
    if (error instanceof Fault) await settleAttempt(log, attempt, { type: "failed", fault: error });
    await recordExit(log, { code: null, signal: null, stderrTail: "" }, "lost");
    return;
  }
  await untilStored(log.deps, () => turns.answerPending());
}

/** A process that never finished its handshake received no prompt: it is ended, and a new one gets the prompt. */
async function forgetProcess({ link, log }: SessionActor): Promise<void> {
  await link.forgetProcess();
  if (!log.journal.row.runtime.process) return;
  await log.untilStored(() => log.commit({ runtime: { process: null }, durability: "output" }));
}
