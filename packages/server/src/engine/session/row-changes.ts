import { isUnread, type PatchSession } from "@drover/core";
import type { AgentLink } from "../agent/link.ts";
import type { SessionLog } from "./log.ts";

interface Patched {
  readonly log: SessionLog;
  readonly link: AgentLink;
}

/** Changes what people chose for a session, and passes on what its running agent has to know. */
export async function patchRow({ log, link }: Patched, patch: PatchSession): Promise<void> {
  const { name, archived, account, ...wanted } = patch;
  const chosen = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined));
  const about = { ...chosen, ...(account === undefined ? {} : { account: account ?? undefined }) };
  const change = {
    about,
    ...(name === undefined ? {} : { name }),
    ...(archived === undefined ? {} : { archived }),
  };
  const { model, permissionMode } = patch;
  await log.mailbox.run(async () => {
    if (model === undefined) await log.commit({ ...change, durability: "command" });
    else await log.perform({ type: "set_model", model }, change);
  });
  // An agent that keeps its model reports it in a notice; one that is gone gets the model with its next process.
  if (model) await link.live?.setModel(model).catch(() => undefined);
  if (permissionMode) await link.live?.setPermissionMode?.(permissionMode).catch(() => undefined);
}

/** Files a session under another project. Called in the mailbox. */
export async function moveRow(log: SessionLog, projectId: string): Promise<void> {
  if (log.journal.row.about.projectId !== projectId) await log.commit({ projectId, durability: "command" });
}

/** Marks an unread session as seen if nothing has ended after `seq`; otherwise stores nothing. Called in the mailbox. */
export async function markRowSeen(log: SessionLog, seq: number): Promise<void> {
  const { seenSeq, state } = log.journal.row;
  if (!isUnread(state, seenSeq) || isUnread(state, seq)) return;
  await log.commit({ seenSeq: Math.min(seq, state.lastSeq), durability: "output" });
}
