import { setEntries } from "./checkpoint.ts";
import { idIn, type ObjectWriter } from "./object-writer.ts";
import { createRef, listRefs, type StoredRepository } from "./refs.ts";
import { type GitPlace, openRepository } from "./repository.ts";
import type { GitTree } from "./tree.ts";
import type { GitMeans } from "./worktree.ts";

/** Below it, refs are called `NAME/TIME`. */
export const KEPT = "refs/drover/kept/";

/** Commits of work, in contrast to commits that a person or an agent has made. */
const SUBJECT = "Uncommitted work in ";

export interface Keeping {
  readonly ref: string;
  /** The files that differ from the last commit, and those that are gone since then; bytes in Latin 1. */
  readonly present: readonly string[];
  readonly absent: readonly string[];
}

/**
 * Stores the files of a tree in a separate commit, under `ref`. Its second parent has what was staged, if that is neither
 * in the last commit nor in the files. Nothing in the tree changes.
 */
export async function keepFiles(
  place: GitPlace & { readonly tree: GitTree },
  { ref, present, absent }: Keeping,
): Promise<void> {
  await using repository = await openRepository(place);
  if (!repository) throw new Error(`${place.tree.top} is gone`);
  const { writer } = repository;
  const message = `${SUBJECT}${place.tree.top}\n`;
  // On a branch without commits, the files are compared with an empty commit.
  const base = repository.commit ?? (await writer.commit(repository.base, { message, parents: [] }));
  // Fails in the middle of a merge: then nothing is staged but the conflict.
  const index = await writer.run({ args: ["write-tree"] }).then(idIn, () => undefined);
  // `git add` fails on a file that is gone from the index as well.
  await setEntries(
    writer,
    absent.map((path) => ({ path })),
  );
  if (present.length > 0) {
    const input = Buffer.from(present.map((path) => `${path}\0`).join(""), "latin1");
    const args = ["add", "--all", "--ignore-errors", "--pathspec-from-file=-", "--pathspec-file-nul"];
    await writer.run({ args, input }).catch(unlessSkipped);
  }
  const tree = idIn(await writer.run({ args: ["write-tree"] }));
  const isStaged = index !== undefined && index !== tree && index !== (await treeOf(writer, base));
  const parents = [base, ...(isStaged ? [await writer.commit(index, { message, parents: [base] })] : [])];
  const commit = await writer.commit(tree, { message, parents });
  await createRef(place.tree, { ref, to: commit }, place);
}

const treeOf = async (writer: ObjectWriter, commit: string): Promise<string> =>
  idIn(await writer.run({ args: ["rev-parse", "--verify", `${commit}^{tree}`] }));

export interface KeptCommit {
  readonly ref: string;
  readonly commit: string;
  /** The commit that its files are compared with; the commit itself if it is no commit of work. */
  readonly base: string;
  /** What was staged. */
  readonly index?: string;
}

/** Everything that is kept in a repository. */
export async function readKept(repository: StoredRepository, means: GitMeans): Promise<KeptCommit[]> {
  const format = ["refname", "objectname", "parent", "contents:subject"].map((name) => `%(${name})`);
  const lines = await listRefs(repository, { prefix: KEPT, format: format.join("%09") }, means);
  return lines.map((line) => {
    const [ref = "", commit = "", parents = "", ...subject] = line.split("\t");
    const [base = commit, index] = parents.split(" ");
    if (!subject.join("\t").startsWith(SUBJECT)) return { ref, commit, base: commit };
    return { ref, commit, base, ...(index === undefined ? {} : { index }) };
  });
}

/** Writes kept files into a tree in which nobody has worked yet, and stages what was staged. */
export async function writeKept(
  place: GitPlace & { readonly tree: GitTree },
  { commit, base, index = base }: KeptCommit,
): Promise<void> {
  await using repository = await openRepository(place);
  if (!repository) throw new Error(`${place.tree.top} is gone`);
  await repository.run({ args: ["read-tree", "--reset", "-u", commit] });
  await repository.run({ args: ["read-tree", "--reset", index] });
  await repository.saveIndex();
}

/** With `--ignore-errors`, git ends with 1 if it could not read some files, and adds the others. */
function unlessSkipped(error: unknown): void {
  if (!(error instanceof Error) || !/^git ended with 1\b(?!\d)/.test(error.message)) throw error;
}
