import { chmod, cp, lstat, mkdir, readdir, realpath, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { clipSummary, Fault, workerPaths } from "@drover/core";
import type { WorkerFiles, WorkerInput } from "../ports.ts";
import { openRegular, readAtMost } from "../process/regular-file.ts";
import { makeWritable, removeTree } from "./worktree-files.ts";

/** A file of earlier output that is larger is not kept. */
const MAX_KEPT = 1024 * 1024;
const MAX_SUMMARY = 1024 * 1024;

/** Writes what a worker gets. Links are replaced, never followed: an earlier run may have planted them. */
export const prepareWorkerFiles: WorkerFiles["prepare"] = async (cwd, input) => {
  try {
    const at = (path: string) => join(cwd, path);
    await makeReal(at(workerPaths.folder));
    if (!input.keepsOutput) await moveAway(at(workerPaths.output), input.archive);
    await makeReal(at(workerPaths.output));
    if (input.keepsOutput) await moveAway(at(workerPaths.signal), input.archive);
    await writeInput(at(workerPaths.input), input);
  } catch (error) {
    const { message } = error as Error;
    throw new Fault("AGENT_UNREACHABLE", `Drover could not write the worker's input files: ${message}`, {
      retry: "never",
    });
  }
};

async function makeReal(directory: string): Promise<void> {
  const found = await lstat(directory).catch(() => undefined);
  if (found?.isDirectory()) return chmod(directory, 0o755);
  if (found) await rm(directory);
  await mkdir(directory);
}

/** Moves a file or a directory below the session's own directory. */
async function moveAway(path: string, archive: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (!found) return;
  if (found.isDirectory()) {
    await makeWritable(path);
    // A server that was killed after this has moved it already.
    if ((await readdir(path)).length === 0) return;
  }
  await removeTree(archive);
  await mkdir(dirname(archive), { recursive: true, mode: 0o700 });
  try {
    await rename(path, archive);
  } catch (error) {
    // The home is on another file system.
    if ((error as NodeJS.ErrnoException).code !== "EXDEV") throw error;
    await cp(path, archive, { recursive: true, verbatimSymlinks: true, filter: isKept });
    await removeTree(path);
  }
}

async function isKept(path: string): Promise<boolean> {
  const found = await lstat(path);
  return found.isDirectory() || (found.isFile() && found.size <= MAX_KEPT);
}

async function writeInput(directory: string, { manifest, files }: WorkerInput): Promise<void> {
  await removeTree(directory);
  await mkdir(directory);
  const all = [{ path: "manifest.json", content: manifest }, ...files];
  for (const { path, content } of all) {
    const file = join(directory, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content, { flag: "wx", mode: 0o444 });
  }
  const folders = new Set(all.map(({ path }) => dirname(join(directory, path))));
  for (const folder of [...folders].sort().reverse()) await chmod(folder, 0o555);
}

/** Whether the output is where it belongs: an agent may have replaced a folder with a link. */
export async function hasOwnOutput(cwd: string): Promise<boolean> {
  const [output, own] = await Promise.all([
    realpath(join(cwd, workerPaths.output)).catch(() => undefined),
    realpath(cwd).catch(() => cwd),
  ]);
  return output === join(own, workerPaths.output);
}

/** Undefined if there is none that can be read. */
export const readWorkerSummary: WorkerFiles["readSummary"] = async (cwd) => {
  try {
    if (!(await hasOwnOutput(cwd))) return undefined;
    await using file = await openRegular(join(cwd, workerPaths.summary), { followLinks: false });
    const text = (await readAtMost(file, MAX_SUMMARY))?.toString("utf8").trim();
    return text ? clipSummary(text) : undefined;
  } catch {
    return undefined;
  }
};
