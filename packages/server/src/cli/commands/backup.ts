import { existsSync } from "node:fs";
import { cp, lstat, readdir, realpath, rename, rm } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { diskUsage } from "../../doctor/disk.ts";
import { bytes } from "../../doctor/words.ts";
import { makeDirectory } from "../../home.ts";
import type { Cli } from "../cli.ts";
import { CliError, type ExitCode, exit } from "../exit.ts";
import { printJson, say } from "../print.ts";
import { warnVersionBeside } from "../server/same-version.ts";
import { Screen } from "../view/screen.ts";

export interface BackupOptions {
  readonly secrets?: boolean;
  readonly json?: boolean;
}

/**
 * Copies the home, which a server may be using, so that the copy can replace it. The database is copied first: the raw
 * logs only grow, so they contain everything it refers to.
 */
export async function backup(
  cli: Cli,
  { directory, options }: { directory: string; options: BackupOptions },
): Promise<ExitCode> {
  const { home, cwd } = cli.settings;
  const target = resolve(cwd, directory);
  if (!existsSync(home.database))
    throw new CliError(exit.notFound, `There is nothing to back up in ${home.directory} yet.`);
  await warnVersionBeside(cli);
  await checkTarget(target);
  const partial = `${target}.partial-${process.pid}`;
  using screen = new Screen(cli);
  screen.busy("copying");
  await makePartial(partial);
  try {
    await using store = await cli.parts.openStore();
    await store.backup(join(partial, basename(home.database)));
    const files = [home.config, join(home.directory, "policy.yaml"), home.sessions];
    const secrets = options.secrets ? [home.token, home.accounts] : [];
    for (const file of [...files, ...secrets]) await copy(file, partial);
    await rename(partial, target);
  } catch (error) {
    // For example a full disk. The partial copy is removed below.
    if (!(error instanceof Error) || !("code" in error)) throw error;
    throw new CliError(exit.failed, `Backup failed: ${error.message}`);
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
  const size = await diskUsage(target);
  screen.busy("");
  if (options.json) printJson(cli, { directory: target, bytes: size, secrets: options.secrets === true });
  else {
    const missing = options.secrets
      ? ""
      : " It contains no token, which the next start creates, and no secrets of accounts (use --secrets).";
    say(
      cli,
      `Copied ${bytes(size)} to ${target}. To restore it, put it in place of ${home.directory}.${missing}`,
    );
  }
  return exit.done;
}

async function makePartial(directory: string): Promise<void> {
  await makeDirectory(directory).catch((error: unknown) => {
    throw new CliError(exit.usage, `Cannot create ${directory}: ${String(error)}`);
  });
}

async function checkTarget(target: string): Promise<void> {
  const entries = await readdir(target).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw new CliError(exit.usage, `Cannot use ${target}: ${error.message}`);
  });
  if (entries.length > 0) {
    throw new CliError(exit.conflict, `${target} is not empty.`, "Use a new or empty directory.");
  }
}

/**
 * Follows a link at the top, because parts of the home may be kept elsewhere. Below that it copies only files and
 * directories: opening an agent's FIFO would block forever.
 */
async function copy(from: string, directory: string): Promise<void> {
  const place = await realpath(from).catch(() => undefined);
  if (place === undefined) return;
  await cp(place, join(directory, basename(from)), {
    recursive: true,
    filter: async (path) => {
      // A finished spool may be removed during the copy.
      const found = await lstat(path).catch(() => undefined);
      return found?.isFile() === true || found?.isDirectory() === true;
    },
  });
}
