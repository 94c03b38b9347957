import { rm, utimes, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { IndexLocked, replaceIndex } from "./index-lock.ts";
import { type ObjectWriter, objectWriter } from "./object-writer.ts";
import { type Layout, sharedIndexes } from "./private-directory.ts";
import { type RegularFile, readRegular } from "./read-regular.ts";
import type { GitRun } from "./run-git.ts";

export interface OwnIndex extends Pick<GitRun, "environment" | "signal"> {
  /** A private directory of the repository. */
  readonly directory: string;
  readonly layout: Layout;
}

const TRIES = 3;

/**
 * Changes a copy of a repository's own index on a private directory, and replaces it. Flags and staged entries that
 * the change does not touch stay. The lock is held only to replace the index, so that a server that dies leaves none.
 */
export async function changeOwnIndex(
  { layout, directory, environment, signal }: OwnIndex,
  change: (index: ObjectWriter) => Promise<void>,
): Promise<void> {
  const copy = join(directory, "own-index");
  const writer = objectWriter(layout, { environment, signal, directory, index: copy });
  for (let tries = TRIES; ; tries--) {
    const old = await readRegular(layout.index);
    await rm(copy, { force: true });
    if (old) await copyOwn(old, { from: layout.index, to: copy, directory });
    await change(writer);
    const isStill = async () => isSame(await readRegular(layout.index), old);
    if (await replaceIndex(layout.index, { by: copy, isStill })) return;
    if (tries === 1) throw new IndexLocked(layout.index);
  }
}

async function copyOwn(
  { content, mtimeMs }: RegularFile,
  { from, to, directory }: { from: string; to: string; directory: string },
): Promise<void> {
  await writeFile(to, content);
  // Git reads files that are no older than the index. A newer copy would hide their changes.
  await utimes(to, mtimeMs / 1000, mtimeMs / 1000);
  for (const path of await sharedIndexes(from, content)) {
    const shared = await readRegular(path);
    if (shared) await writeFile(join(directory, basename(path)), shared.content);
  }
}

const isSame = (now: RegularFile | undefined, old: RegularFile | undefined): boolean =>
  now && old ? now.content.equals(old.content) : now === old;
