import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { diskUsage } from "../../doctor/disk.ts";
import { bytes } from "../../doctor/words.ts";
import type { Cli } from "../cli.ts";
import { type ExitCode, exit } from "../exit.ts";
import { printJson, say } from "../print.ts";
import { warnVersionBeside } from "../server/same-version.ts";
import { Screen } from "../view/screen.ts";
import { count } from "../view/words.ts";
import { readConfig } from "./config.ts";

export interface PruneOptions {
  /** Minimum time since the deletion, in milliseconds. */
  readonly olderThan?: number;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** Deletes the logs of deleted sessions. Other sessions, archived ones included, are never touched. */
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
  screen.busy("");
  if (options.json) {
    printJson(cli, { pruned: sessionIds, bytes: freed, dryRun: options.dryRun === true });
    return exit.done;
  }
  const verb = options.dryRun ? "Would delete" : "Deleted";
  const sessions = count(sessionIds.length, "deleted session");
  say(cli, `${verb} the logs of ${sessions}: ${bytes(freed)} of raw logs and their entries in the database.`);
  return exit.done;
}
