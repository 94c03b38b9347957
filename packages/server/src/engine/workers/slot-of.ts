import { type Attempt, isSameAttempt } from "@drover/core";
import type { AgentLink } from "../agent/link.ts";
import type { SessionLog } from "../session/log.ts";
import type { SlotHolder } from "./slots.ts";

const unlimited: Disposable = { [Symbol.dispose]: () => undefined };

const isWorker = ({ journal }: SessionLog): boolean => journal.row.about.kind === "worker";

/** Other sessions never hold a slot. */
export const holderOf = (log: SessionLog, link: AgentLink): SlotHolder => ({
  id: log.journal.row.id,
  isRunning: () => isWorker(log) && (link.isBusy || log.journal.row.runtime.process !== undefined),
});

/** Waits until the process of an attempt may start. Undefined if it need not any more; only workers wait. */
export async function slotFor(
  log: SessionLog,
  link: AgentLink,
  attempt: Attempt,
): Promise<Disposable | undefined> {
  const { deps, journal } = log;
  const { row, state } = journal;
  if (!isWorker(log)) return unlimited;
  const isWanted = () => isSameAttempt(journal.row.runtime.attempt, attempt) && !journal.row.runtime.stopping;
  const { slot, isWaiting } = deps.workers.slots.acquire({
    ...holderOf(log, link),
    since: state.turn?.startedAt ?? row.updatedAt,
    isWanted,
  });
  if (isWaiting) {
    await log.untilStored(async () => {
      if (isWanted()) await log.perform({ type: "report_state", state: "queued" }, { durability: "output" });
    });
  }
  return slot;
}
