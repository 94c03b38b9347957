import { idIn } from "./object-writer.ts";
import { updateRefs } from "./refs.ts";
import { type GitPlace, openRepository } from "./repository.ts";
import type { GitTree } from "./tree.ts";

export interface Keeping {
  readonly ref: string;
  /** What differs from the last commit; bytes in Latin 1. */
  readonly paths: readonly string[];
  readonly message: string;
}

/** Stores the files of a tree in a separate commit, under `ref`. Nothing in the tree changes. */
export async function keepFiles(
  place: GitPlace & { readonly tree: GitTree },
  { ref, paths, message }: Keeping,
): Promise<void> {
  await using repository = await openRepository(place);
  if (!repository) throw new Error(`${place.tree.top} is gone`);
  const { writer, base } = repository;
  if (paths.length > 0) {
    const input = Buffer.from(paths.map((path) => `${path}\0`).join(""), "latin1");
    const args = ["add", "--all", "--ignore-errors", "--pathspec-from-file=-", "--pathspec-file-nul"];
    await writer.run({ args, input }).catch(unlessSkipped);
  }
  const tree = idIn(await writer.run({ args: ["write-tree"] }));
  const commit = paths.length === 0 ? base : await writer.commit(tree, { message, parents: [base] });
  const isNamed = await updateRefs(place.tree, [{ ref, to: commit, from: null }], place);
  if (!isNamed) throw new Error(`git could not create ${ref}`);
}

/** With `--ignore-errors`, git ends with 1 if it could not read some files, and adds the others. */
function unlessSkipped(error: unknown): void {
  if (!(error instanceof Error) || !/^git ended with 1\b(?!\d)/.test(error.message)) throw error;
}
