import { chmod, copyFile, lstat, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { commitIndex, setEntries, type TreeEntry } from "./checkpoint.ts";
import { type CheckpointPlace, openStored } from "./checkpoint-directory.ts";
import { bytesOf } from "./checkpoint-scan.ts";
import { objectWriter } from "./object-writer.ts";

/** A path that differs between two commits. */
export interface TreeChange {
  /** Relative to the top; Latin 1 stands for bytes. */
  readonly path: string;
  /** Undefined where it does not exist. */
  readonly before: TreeEntry["object"];
  readonly after: TreeEntry["object"];
}

/** The paths that differ between two commits; a renamed file is two of them. */
export async function treeChanges(
  place: CheckpointPlace,
  [before, after]: readonly [string, string],
): Promise<TreeChange[]> {
  const { writer } = await openStored(place);
  const args = ["diff-tree", "-r", "-z", "--no-renames", "--raw", before, after];
  return parseRaw(await writer.run({ args }));
}

/** Reads `--raw -z --no-renames`. */
export function parseRaw(output: Buffer): TreeChange[] {
  const tokens = output.toString("latin1").split("\0").slice(0, -1);
  const changes: TreeChange[] = [];
  for (let at = 0; at + 1 < tokens.length; at += 2) {
    const [oldMode, newMode, oldId, newId] = (tokens[at] ?? "").slice(1).split(" ");
    const path = tokens[at + 1] ?? "";
    changes.push({ path, before: objectOf(oldMode, oldId), after: objectOf(newMode, newId) });
  }
  return changes;
}

type TreeObject = TreeChange["before"];

export const isSame = (one: TreeObject, other: TreeObject): boolean =>
  one?.id === other?.id && one?.mode === other?.mode;

const objectOf = (mode = "", id = ""): TreeEntry["object"] => (/^0*$/.test(mode) ? undefined : { mode, id });

/** Files are in the way of what would be written, or have changed since they were read. */
export class InTheWay extends Error {
  override readonly name = "InTheWay";
  readonly paths: readonly string[];

  constructor(paths: readonly string[]) {
    super("Files are in the way");
    this.paths = paths;
  }
}

/**
 * Writes files as these entries say, and returns a commit of the result with the paths that changed. `now` is the
 * checkpoint of the tree as it is; git refuses if a file has changed since. Links are replaced and never followed, and
 * nothing outside the tree is written. Throws `InTheWay` before anything is changed.
 */
export async function applyEntries(
  place: CheckpointPlace,
  { now, entries }: { now: string; entries: readonly TreeEntry[] },
): Promise<{ commit: string; paths: readonly string[] }> {
  if (entries.length === 0) return { commit: now, paths: [] };
  const { layout, writer, moveHead } = await openStored(place);
  const { environment, signal, directory } = place;
  const index = join(directory, "wanted-index");
  await copyFile(join(directory, "index"), index);
  try {
    const wanted = objectWriter(layout, { environment, signal, directory, index });
    await setEntries(wanted, entries);
    const target = await commitIndex(wanted);
    const changes = await treeChanges(place, [now, target]);
    if (changes.length === 0) return { commit: now, paths: [] };
    const blocked = await inTheWay(layout.top, changes);
    if (blocked.length > 0) throw new InTheWay(blocked);
    const modes = await modesOf(layout.top, changes);
    const paths = changes.map(({ path }) => path);
    await writer.run({ args: ["read-tree", "-m", "-u", now, target] }).catch((error: unknown) => {
      if (signal.aborted) throw error;
      throw new InTheWay(paths);
    });
    await moveHead(target);
    for (const [path, mode] of modes) await chmod(bytesOf(layout.top, path), mode);
    return { commit: target, paths };
  } finally {
    await rm(index, { force: true });
  }
}

/** Git overwrites ignored files; those that no checkpoint has would be lost. */
async function inTheWay(top: string, changes: readonly TreeChange[]): Promise<string[]> {
  const going = new Set(changes.filter(({ before }) => before).map(({ path }) => path));
  const blocked: string[] = [];
  for (const { path, before, after } of changes) {
    if (before || !after) continue;
    const foreign = await foreignAt(top, path, going);
    if (foreign !== undefined) blocked.push(foreign);
  }
  return blocked;
}

/** A file at a path, above it or below it that is not going to be removed. */
async function foreignAt(top: string, path: string, going: ReadonlySet<string>): Promise<string | undefined> {
  for (let end = path.indexOf("/"); end >= 0; end = path.indexOf("/", end + 1)) {
    const above = path.slice(0, end);
    const found = await lstat(bytesOf(top, above)).catch(() => undefined);
    if (!found) return undefined;
    if (!found.isDirectory()) return going.has(above) ? undefined : above;
  }
  const found = await lstat(bytesOf(top, path)).catch(() => undefined);
  if (!found) return undefined;
  if (!found.isDirectory()) return going.has(path) ? undefined : path;
  for (const name of await readdir(bytesOf(top, path), { encoding: "buffer" })) {
    const foreign = await foreignAt(top, `${path}/${name.toString("latin1")}`, going);
    if (foreign !== undefined) return foreign;
  }
  return undefined;
}

const PERMISSIONS = 0o777;
const EXECUTE = 0o111;

/** Git rewrites a file with default permissions; this restores the old ones, unless a change affects them. */
async function modesOf(top: string, changes: readonly TreeChange[]): Promise<Map<string, number>> {
  const modes = new Map<string, number>();
  for (const { path, before, after } of changes) {
    if (!after?.mode.startsWith("100") || before?.mode !== after.mode) continue;
    const found = await lstat(bytesOf(top, path)).catch(() => undefined);
    const isExecutable = ((found?.mode ?? 0) & EXECUTE) !== 0;
    if (found?.isFile() && isExecutable === (after.mode === "100755")) {
      modes.set(path, found.mode & PERMISSIONS);
    }
  }
  return modes;
}
