import { Fault, isSameAttempt } from "@drover/core";
import { untilStored } from "../background.ts";
import { recordExit, settleAttempt } from "../turn/settle-attempt.ts";
import type { SessionActor } from "./actor.ts";

/**
 * After a server's death: finds the agent again, finishes what was begun, and never runs a prompt twice by itself.
 */
export async function recoverSession(actor: SessionActor): Promise<void> {
  actor.isRecovering = true;
  try {
    await recover(actor);
  } finally {
    actor.isRecovering = false;
  }
}

async function recover(actor: SessionActor): Promise<void> {
  const { journal, link, log } = actor;
  // Clients are served already: a turn that begins meanwhile is not this attempt's.
  const { attempt } = journal.row.runtime;
  if (journal.row.runtime.process?.ready) await findAgain(actor);
  else await forgetStart(actor);
  if (journal.row.runtime.stopping) return actor.finishStop();
  if (attempt && isSameAttempt(journal.row.runtime.attempt, attempt)) {
    const isTorn = journal.row.runtime.attempt?.prompt.phase === "writing";
    await settleAttempt(log, attempt, { type: "recovered", agent: link.live ? "found" : "gone" });
    // The turn has ended, and its agent may be at work on a prompt that has arrived after all.
    if (isTorn) await link.cancel(attempt.turnId);
  }
  await actor.goOn();
}

/** Re-attaches to the process of record. */
async function findAgain({ id, link, log, turns }: SessionActor): Promise<void> {
  try {
    await link.attach();
  } catch (error) {
    log.deps.logger.warn("an agent could not be found again", { session: id, error: String(error) });
    await link.sweep();
    const { attempt } = log.journal.row.runtime;
    // The turn ends for the reason that keeps us from its agent: to say that the agent crashed would be wrong.
    if (error instanceof Fault) await settleAttempt(log, attempt, { type: "failed", fault: error });
    await recordExit(log, { code: null, signal: null, stderrTail: "" }, "lost");
    return;
  }
  await untilStored(log.deps, () => turns.answerPending());
}

/** A process that never finished its handshake was not given anything: it is ended, and a new one gets the prompt. */
async function forgetStart({ link, log }: SessionActor): Promise<void> {
  await link.forgetStart();
  if (!log.journal.row.runtime.process) return;
  await log.untilStored(() => log.commit({ runtime: { process: null }, durability: "output" }));
}
