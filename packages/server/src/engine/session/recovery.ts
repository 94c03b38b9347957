import { Fault } from "@drover/core";
import { untilStored } from "../background.ts";
import { endTurn, recordExit } from "../turn/record-end.ts";
import type { SessionActor } from "./actor.ts";

/**
 * After a server's death: finds the agent again, finishes what was begun, and never runs a prompt twice by itself.
 */
export async function recoverSession(actor: SessionActor): Promise<void> {
  const { journal, link, log } = actor;
  // Clients are served already: only the turn that the last server left is judged, none that begins meanwhile.
  const left = journal.state.turn?.id;
  if (journal.row.runtime.process?.ready) await findAgain(actor);
  else await forgetStart(actor);
  if (journal.row.runtime.stopping) return actor.finishStop();
  const turn = journal.state.turn?.id === left ? journal.state.turn : undefined;
  const phase = journal.row.runtime.prompt?.phase;
  if (turn && phase === "writing") await endUncertain(actor, turn.id);
  else if (turn && phase !== "accepted" && !link.live) {
    await endTurn(log, turn.id, new Fault("AGENT_CRASHED", "The agent ended while Drover was not running."));
  }
  await actor.goOn();
}

/** Re-attaches to the process of record. */
async function findAgain({ id, link, log, delivery }: SessionActor): Promise<void> {
  try {
    await link.attach();
  } catch (error) {
    log.deps.logger.warn("an agent could not be found again", { session: id, error: String(error) });
    await link.sweep();
    const { turn } = log.journal.state;
    // What keeps us from it is why the turn ends: to say that the agent crashed would be wrong.
    if (turn && error instanceof Fault) await endTurn(log, turn.id, error);
    await recordExit(log, { code: null, signal: null, stderrTail: "" }, "lost");
    return;
  }
  await untilStored(log.deps, () => delivery.answerPending());
}

/** A process that never finished its handshake was not given anything: it is ended, and a new one gets the prompt. */
async function forgetStart({ link, log }: SessionActor): Promise<void> {
  await link.forgetStart();
  if (!log.journal.row.runtime.process) return;
  await log.untilStored(() => log.commit({ runtime: { process: null }, durability: "output" }));
}

/** Nobody can tell whether the prompt arrived: a person looks and decides. */
async function endUncertain({ link, log }: SessionActor, turnId: string): Promise<void> {
  const message =
    "Drover stopped while handing over this prompt and cannot tell whether the agent got it. Look at its work, then send it again.";
  await endTurn(log, turnId, new Fault("DELIVERY_UNCERTAIN", message));
  await link.cancel(turnId);
}
