import { type CheckpointDirectory, type CheckpointPlace, openCheckpoints } from "./checkpoint-directory.ts";
import { type SkippedFile, scan } from "./checkpoint-scan.ts";
import { idIn, type ObjectWriter } from "./object-writer.ts";

export interface Checkpoint {
  readonly commit: string;
  /** No ref keeps the commit yet. */
  readonly isNew: boolean;
  readonly skipped: readonly SkippedFile[];
}

export interface TakingPlace extends CheckpointPlace {
  /** Larger files are skipped. */
  readonly maxFile: number;
}

/**
 * Stores the files of a working tree as they are now. Ignored files are not part of it; untracked ones are. The user's
 * index, HEAD and files stay as they are. An unchanged tree costs one look at it.
 */
export async function takeCheckpoint(place: TakingPlace): Promise<Checkpoint> {
  const directory = await openCheckpoints(place);
  return takeFrom(directory, place).catch(async (error: unknown) => {
    if (place.signal.aborted) throw error;
    // Objects that the index names may be gone, or the index may be broken: it is rebuilt.
    return takeFrom(await openCheckpoints(place, { again: true }), place);
  });
}

async function takeFrom(directory: CheckpointDirectory, { top, maxFile }: TakingPlace): Promise<Checkpoint> {
  const { writer, head, moveHead } = directory;
  const { added, removed, skipped, isStaged } = await scan(writer, { top, maxFile });
  const isSame = added.length === 0 && removed.length === 0 && !isStaged;
  if (isSame && head !== undefined) return { commit: head, isNew: false, skipped };
  await setEntries(
    writer,
    removed.map((path) => ({ path })),
  );
  if (added.length > 0) {
    const input = Buffer.from(added.map((path) => `${path}\0`).join(""), "latin1");
    await writer.run({ args: ["update-index", "-z", "--add", "--replace", "--stdin"], input });
  }
  const commit = await commitIndex(writer);
  await moveHead(commit);
  return { commit, isNew: true, skipped };
}

/** An entry of an index or a tree; one without an object is removed. */
export interface TreeEntry {
  /** Relative to the top; Latin 1 stands for bytes. */
  readonly path: string;
  readonly object?: { readonly mode: string; readonly id: string } | undefined;
}

/** Puts entries into the index of a writer, regardless of the files in the working tree. */
export async function setEntries(
  { run, nullId }: ObjectWriter,
  entries: readonly TreeEntry[],
): Promise<void> {
  if (entries.length === 0) return;
  const lines = entries.map(({ path, object }) =>
    object ? `${object.mode} ${object.id}\t${path}\0` : `0 ${nullId}\t${path}\0`,
  );
  const input = Buffer.from(lines.join(""), "latin1");
  await run({ args: ["update-index", "-z", "--replace", "--index-info"], input });
}

export async function commitIndex(writer: ObjectWriter): Promise<string> {
  const tree = idIn(await writer.run({ args: ["write-tree"] }));
  return writer.commit(tree, { message: "Drover checkpoint\n" });
}
