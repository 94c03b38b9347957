import { lstat, opendir } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fencedSignal, maxSignalBytes, parseSignal, workerPaths } from "@drover/core";
import type { FoundSignal, WorkerFiles } from "../ports.ts";
import { openRegular, readAtMost, readRegular } from "../process/regular-file.ts";
import { whyUnread } from "./regular-only.ts";
import { hasOwnOutput } from "./worker-files.ts";

/** How long a signal that is half written gets, and how often it is read meanwhile. */
const PATIENCE_MS = 2_000;
const INTERVAL_MS = 50;

/** Looking for a signal elsewhere ends after this many entries. */
const MAX_SEARCHED = 2_000;
const NOT_SEARCHED = new Set([".git", "node_modules", ".drover-worktrees"]);

type Reading = FoundSignal & { readonly isAbsent?: true; readonly isBroken?: true };

export const readWorkerSignal: WorkerFiles["readSignal"] = async ({ cwd, workspace }, said) => {
  const deadline = performance.now() + PATIENCE_MS;
  let read = await readFile(cwd);
  while (read.isBroken && performance.now() < deadline) {
    await pause(INTERVAL_MS);
    read = await readFile(cwd);
  }
  if (read.isFound || !read.isAbsent) return read;
  const fenced = fencedSignal(await said());
  if (fenced !== undefined) {
    const parsed = parseSignal(fenced);
    return parsed.ok
      ? { isFound: true, signal: parsed.signal }
      : { isFound: false, problem: `The fenced signal ${parsed.problem}.` };
  }
  const elsewhere = await findElsewhere(cwd, workspace.path);
  if (elsewhere === undefined) return { isFound: false, problem: `There is no ${workerPaths.signal}.` };
  return {
    isFound: false,
    problem: `There is a signal at ${elsewhere}, but it counts only at ${workerPaths.signal}, in ${cwd}.`,
  };
};

const refused = (problem: string, more: { isBroken?: true } = {}): Reading => ({
  isFound: false,
  problem: `${workerPaths.signal} ${problem}.`,
  ...more,
});

/** The agent may put anything there. */
async function readFile(cwd: string): Promise<Reading> {
  const path = join(cwd, workerPaths.signal);
  const found = await lstat(path).catch(codeOf);
  if (found === "ENOENT" || found === "ENOTDIR") return { isFound: false, problem: "", isAbsent: true };
  if (typeof found === "string") return refused(`cannot be read (${found}): let Drover into its directory`);
  const unreadable = whyUnread(found);
  if (unreadable !== undefined) return refused(unreadable);
  if (!(await hasOwnOutput(cwd))) return refused(`is behind a link: ${workerPaths.output} leads elsewhere`);
  if (found.size > maxSignalBytes)
    return refused(`has more than ${maxSignalBytes} bytes; put long results into files`);
  try {
    await using file = await openRegular(path, { followLinks: false });
    const bytes = await readAtMost(file, maxSignalBytes);
    if (!bytes) return refused(`has more than ${maxSignalBytes} bytes; put long results into files`);
    const parsed = parseSignal(bytes.toString("utf8"));
    if (parsed.ok) return { isFound: true, signal: parsed.signal };
    return refused(parsed.problem, parsed.isBroken ? { isBroken: true } : {});
  } catch (error) {
    return refused(`cannot be read (${codeOf(error)})`);
  }
}

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? "changed meanwhile";

/** A signal that the agent wrote to the wrong place, relative to the directory it works in. */
async function findElsewhere(cwd: string, top: string): Promise<string | undefined> {
  const waiting = [top];
  for (let searched = 0; searched < MAX_SEARCHED; ) {
    const directory = waiting.shift();
    if (directory === undefined) return undefined;
    const entries = await opendir(directory).catch(() => undefined);
    if (!entries) continue;
    for await (const entry of entries) {
      searched += 1;
      if (searched >= MAX_SEARCHED) break;
      const path = join(directory, entry.name);
      if (entry.isDirectory() && !NOT_SEARCHED.has(entry.name)) waiting.push(path);
      else if (entry.isFile() && (await isSignal(path))) return relative(cwd, path);
    }
  }
  return undefined;
}

/** Projects may have files of that name for other purposes. */
async function isSignal(path: string): Promise<boolean> {
  if (basename(path) !== "signal.json") return false;
  const content = await readRegular(path, maxSignalBytes).catch(() => "");
  return parseSignal(content).ok;
}
