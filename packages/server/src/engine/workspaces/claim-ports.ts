import { Fault } from "@drover/core";
import type { SessionLog } from "../session/log.ts";
import { managerOf } from "./manager-of.ts";

/**
 * Makes sure that the ports of a session's worktree are its own: another one may have got them while its files were
 * gone. Rejects with a Fault if there are none left. Called outside the mailbox.
 */
export async function claimPorts(log: SessionLog): Promise<void> {
  const { workspace } = log.journal.row;
  const claimed = await managerOf(log.deps, workspace).ports(workspace);
  if (!claimed.ok) throw new Fault("WORKSPACE_SETUP_FAILED", claimed.error.message);
  const ports = claimed.value;
  if (!ports || ports[0] === workspace.ports?.[0]) return;
  const message = `The ports of this worktree are now ${ports.join(" to ")}: another worktree got its earlier ones while this one was gone`;
  const notice = { type: "notice" as const, code: "PORTS_CHANGED", message, facts: { ports: [...ports] } };
  const events = workspace.ports ? [notice] : [];
  await log.untilStored(() => log.commit({ events, workspace: { ports }, durability: "command" }));
}
