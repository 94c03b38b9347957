import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { diskUsage } from "../../doctor/disk.ts";
import { bytes } from "../../doctor/words.ts";
import type { Cli } from "../cli.ts";
import { type ExitCode, exit } from "../exit.ts";
import { printJson, say } from "../print.ts";
import { tellVersionBeside } from "../server/same-version.ts";
import { Screen } from "../view/screen.ts";
import { readConfig } from "./config.ts";

export interface PruneOptions {
  /** Milliseconds since the deletion. */
  readonly olderThan?: number;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** Frees the logs of deleted sessions; live and archived ones are never touched. */
export async function prune(cli: Cli, options: PruneOptions): Promise<ExitCode> {
  await tellVersionBeside(cli);
  const olderThan = options.olderThan ?? (await readConfig(cli)).storage.keepDeleted;
  const { home } = cli.settings;
  const before = new Date(Date.now() - olderThan).toISOString();
  let sessionIds: string[] = [];
  let freed = 0;
  using screen = new Screen(cli);
  screen.busy("freeing logs");
  if (existsSync(home.database)) {
    await using store = await cli.parts.openStore();
    sessionIds = await store.prunable(before);
    for (const sessionId of sessionIds) {
      const directory = home.sessionDirectory(sessionId);
      freed += await diskUsage(directory);
      if (options.dryRun) continue;
      // The files first: as long as the store knows the session, a prune that was cut off is done again.
      await rm(directory, { recursive: true, force: true });
      await store.prune(sessionId);
    }
  }
  screen.busy("");
  if (options.json) {
    printJson(cli, { pruned: sessionIds, bytes: freed, dryRun: options.dryRun === true });
    return exit.done;
  }
  const count = `${sessionIds.length} deleted ${sessionIds.length === 1 ? "session" : "sessions"}`;
  const verb = options.dryRun ? "would be freed" : "freed";
  say(cli, `The logs of ${count} ${verb}: ${bytes(freed)} of raw logs, and their part of the database.`);
  return exit.done;
}
