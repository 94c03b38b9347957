import type { WorktreeInfo, WorktreeList } from "@drover/core";
import { bytes } from "../../doctor/words.ts";
import { isPrunable } from "../../doctor/worktrees.ts";
import type { Cli } from "../cli.ts";
import { RejectedError } from "../exit.ts";
import { say } from "../print.ts";
import { Client } from "../server/client.ts";
import { oneLine } from "../view/text.ts";

export interface PrunedWorktree extends Pick<WorktreeInfo, "path" | "size"> {
  readonly removed: boolean;
  /** Why it is still there. */
  readonly reason?: string;
}

/** Removes worktrees whose work is merged, or only lists them. Undefined without a running server, which has to do it. */
export async function pruneWorktrees(
  cli: Cli,
  { remove }: { readonly remove: boolean },
): Promise<PrunedWorktree[] | undefined> {
  const client = await Client.connectIfRunning(cli);
  if (!client) return undefined;
  const { workspaces } = await client.get<WorktreeList>("/api/workspaces");
  const pruned: PrunedWorktree[] = [];
  for (const { path, size } of workspaces.filter(isPrunable)) {
    const reason = remove ? await removeOne(client, path) : undefined;
    pruned.push({ path, size, removed: remove && reason === undefined, ...(reason ? { reason } : {}) });
  }
  return pruned;
}

async function removeOne(client: Client, path: string): Promise<string | undefined> {
  try {
    await client.post("/api/workspaces/rm", { path });
    return undefined;
  } catch (error) {
    // Its session may work there, or it may have changed since.
    if (error instanceof RejectedError) return error.message;
    throw error;
  }
}

export function sayPruned(cli: Cli, pruned: readonly PrunedWorktree[]): void {
  for (const { path, size, removed, reason } of pruned) {
    const what = `${oneLine(path)} (${bytes(size)})`;
    if (reason) say(cli, `Kept ${what}: ${oneLine(reason)}`);
    else say(cli, removed ? `Removed ${what}; its branch stays.` : `Merged: ${what}`);
  }
  if (pruned.some(({ removed, reason }) => !removed && !reason))
    say(cli, "`drover prune --worktrees` removes merged worktrees; their branches and sessions stay.");
}
