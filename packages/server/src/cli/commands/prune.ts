import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { diskUsage } from "../../doctor/disk.ts";
import { bytes } from "../../doctor/words.ts";
import type { Cli } from "../cli.ts";
import { CliError, type ExitCode, exit } from "../exit.ts";
import { printJson, say } from "../print.ts";
import { warnVersionBeside } from "../server/same-version.ts";
import { Screen } from "../view/screen.ts";
import { count } from "../view/words.ts";
import { readConfig } from "./config.ts";
import { pruneWorktrees, sayPruned } from "./prune-worktrees.ts";

export interface PruneOptions {
  /** Minimum time since the deletion, in milliseconds. */
  readonly olderThan?: number;
  /** Also remove worktrees whose work is merged. */
  readonly worktrees?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/**
 * Deletes the logs of deleted sessions. Other sessions, archived ones included, are never touched. Merged worktrees are
 * listed, and removed on request.
 */
export async function prune(cli: Cli, options: PruneOptions): Promise<ExitCode> {
  await warnVersionBeside(cli);
  const olderThan = options.olderThan ?? (await readConfig(cli)).storage.keepDeleted;
  const { home } = cli.settings;
  const before = new Date(Date.now() - olderThan).toISOString();
  let sessionIds: string[] = [];
  let freed = 0;
  using screen = new Screen(cli);
  screen.busy("deleting logs");
  if (existsSync(home.database)) {
    await using store = await cli.parts.openStore();
    sessionIds = await store.prunable(before);
    for (const sessionId of sessionIds) {
      const directory = home.sessionDirectory(sessionId);
      freed += await diskUsage(directory);
      if (options.dryRun) continue;
      await cli.parts.forgetCheckpoints(home.checkpointDirectory(sessionId));
      // Files first: while the store still has the session, an interrupted prune is repeated.
      await rm(directory, { recursive: true, force: true });
      await store.prune(sessionId);
    }
  }
  const dryRun = options.dryRun === true;
  const remove = options.worktrees === true && !dryRun;
  const worktrees = await pruneWorktrees(cli, { remove }).catch((error: unknown) => {
    if (options.worktrees) throw error;
    // A server of another version: nothing is offered.
    return undefined;
  });
  screen.busy("");
  if (!worktrees && options.worktrees) {
    const message = "Worktrees can only be removed while the server is running.";
    throw new CliError(exit.noServer, message, "`drover serve --detach` starts it.");
  }
  if (options.json) {
    printJson(cli, { pruned: sessionIds, bytes: freed, dryRun, ...(worktrees ? { worktrees } : {}) });
    return exit.done;
  }
  const verb = options.dryRun ? "Would delete" : "Deleted";
  const sessions = count(sessionIds.length, "deleted session");
  say(cli, `${verb} the logs of ${sessions}: ${bytes(freed)} of raw logs and their entries in the database.`);
  sayPruned(cli, worktrees ?? []);
  return exit.done;
}
