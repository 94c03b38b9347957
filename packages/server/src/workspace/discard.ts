import { ok, pathBytes, pathText, type Rejection, type Result, reject } from "@drover/core";
import { setEntries, type TreeEntry } from "../git/checkpoint.ts";
import { type CheckpointPlace, checkpointRepository } from "../git/checkpoint-directory.ts";
import { applyEntries, InTheWay, isSame, treeChanges } from "../git/checkpoint-restore.ts";
import { isAt } from "../git/commit.ts";
import { asWritten, BadPatch, onlyStaged, reversal, stagedChanges, withoutPatch } from "../git/discard.ts";
import { IndexLocked } from "../git/index-lock.ts";
import type { ObjectWriter } from "../git/object-writer.ts";
import { openRepository, type Repository } from "../git/repository.ts";
import type { ChangedFiles, CheckpointPair, Discard } from "../ports.ts";
import { onlyHunk } from "./hunk.ts";
import { someOf } from "./words.ts";

export interface DiscardPlace extends CheckpointPlace {
  /** The session's directory. */
  readonly cwd: string;
  /** A directory for temporary files. */
  readonly scratch: string;
}

/** What the files and the index are to become. */
interface Wanted {
  readonly entries: readonly TreeEntry[];
  readonly restage: (index: ObjectWriter) => Promise<void>;
}

/** Puts files back as they are in the last commit, or takes a hunk out of one; in the index, too. */
export async function discard(
  place: DiscardPlace,
  { now, paths, patch }: Discard,
): Promise<Result<ChangedFiles, Rejection>> {
  const tree = await checkpointRepository(place.directory);
  await using repository = await openRepository({ ...place, tree });
  if (!repository) throw new Error(`${place.top} is gone`);
  try {
    const skipped = now.skipped.map(({ path }) => pathBytes(path));
    const wanted =
      patch === undefined
        ? await asCommitted(place, repository, {
            ...{ now: now.commit, skipped },
            paths: (paths ?? []).map(pathBytes),
          })
        : ok(await withoutHunk(repository, onlyHunk(patch)));
    if (!wanted.ok) return wanted;
    const { entries, restage } = wanted.value;
    // Content that is in no checkpoint could not be brought back.
    const unkept = skipped.filter((each) => entries.some(({ path }) => path === each));
    if (unkept.length > 0) return conflict(unkept, "is in no checkpoint, so this could not be undone");
    const written = (await repository.mayConvert()) ? await asWritten(place, repository, entries) : entries;
    const { commit, paths: changed } = await applyEntries(place, { now: now.commit, entries: written });
    await repository.changeIndex(restage).catch(unlessLocked);
    const files = changed.map((path) => pathText(path.slice(repository.prefix.length))).sort();
    return ok({ commit, files });
  } catch (error) {
    if (error instanceof InTheWay) return conflict(error.paths, "has changed, or is in the way");
    if (!(error instanceof BadPatch)) throw error;
    return error.paths ? conflict(error.paths, "no longer has this change") : unreadable();
  }
}

/**
 * Completes a discard that was cut off after it had written the files: what was staged of them is discarded, too.
 * Entries that are not what the files were before are somebody's later work.
 */
export async function unstage(place: DiscardPlace, { before, after }: CheckpointPair): Promise<void> {
  const tree = await checkpointRepository(place.directory);
  await using repository = await openRepository({ ...place, tree });
  if (!repository) return;
  const discarded = new Map((await treeChanges(place, [before, after])).map((each) => [each.path, each]));
  const entries = (await stagedChanges(repository)).flatMap(({ path, after: staged }) => {
    const change = discarded.get(path);
    return change && isSame(staged, change.before) ? [entryOf(path, change.after)] : [];
  });
  if (entries.length > 0)
    await repository.changeIndex((index) => setEntries(index, entries)).catch(unlessLocked);
}

/** A lock held by another process keeps what is staged; the files have been put back. */
function unlessLocked(error: unknown): void {
  if (!(error instanceof IndexLocked)) throw error;
}

async function asCommitted(
  place: CheckpointPlace,
  repository: Repository,
  { now, paths, skipped }: { now: string; paths: readonly string[]; skipped: readonly string[] },
): Promise<Result<Wanted, Rejection>> {
  const places = paths.map((path) => (path === "." ? repository.prefix : repository.prefix + path));
  const isWanted = ({ path }: { path: string }) => places.some((each) => isAt(path, each));
  const changed = await treeChanges(place, [now, repository.base]);
  const staged = await stagedChanges(repository);
  const left = skipped.map((path) => ({ path }));
  const known = [...changed, ...staged, ...left];
  const at = places.findIndex((each) => !known.some(({ path }) => isAt(path, each)));
  if (at >= 0) return unchanged(pathText(paths[at] ?? ""));
  const unkept = await onlyStaged(repository, staged.filter(isWanted));
  if (unkept.length > 0) {
    const why = "has a staged version that is in no checkpoint, so this could not be undone";
    return conflict(unkept, why, "unstage it with `git restore --staged` first");
  }
  const entries = changed.filter(isWanted).map(({ path, after }) => entryOf(path, after));
  const others = staged.filter(isWanted).map(({ path, before }) => entryOf(path, before));
  const restage = (index: ObjectWriter) => setEntries(index, [...entries, ...others]);
  return ok({ entries: [...entries, ...left.filter(isWanted)], restage });
}

const entryOf = (path: string, object: TreeEntry["object"]): TreeEntry =>
  object ? { path, object } : { path };

async function withoutHunk(repository: Repository, patch: string): Promise<Wanted> {
  const entries = await withoutPatch(repository, patch);
  // If the change is not staged, the index stays as it is.
  const restage = (index: ObjectWriter) =>
    index.run(reversal(repository, patch)).then(
      () => undefined,
      () => undefined,
    );
  return { entries, restage };
}

function unchanged(path: string): Result<never, Rejection> {
  const message = `${path} has no changes since the last commit; name files that have, relative to the session's directory`;
  return reject("BAD_REQUEST", message, { issues: [{ path: "paths", message }] });
}

function unreadable(): Result<never, Rejection> {
  const message = "This is not a patch; send one hunk of the session's diff with the header of its file";
  return reject("BAD_REQUEST", message, { issues: [{ path: "patch", message }] });
}

function conflict(
  paths: readonly string[],
  why: string,
  next = "look at the changes again",
): Result<never, Rejection> {
  const files = [...new Set(paths.map(pathText))].sort();
  const message = `${someOf(files)} ${why}; ${next}`;
  return reject("DISCARD_CONFLICT", message, { files });
}
