import { lstat } from "node:fs/promises";
import { setEntries } from "./checkpoint.ts";
import { parseRaw, type TreeChange } from "./checkpoint-restore.ts";
import { bytesOf } from "./checkpoint-scan.ts";
import { changesBetween } from "./merge.ts";
import { openTree } from "./merge-work.ts";
import { idIn, type ObjectWriter } from "./object-writer.ts";
import type { GitPlace, Repository } from "./repository.ts";
import type { GitTree } from "./tree.ts";

export interface Step {
  /** What the files were, as a commit or a tree. */
  readonly from: string;
  /** What they are going to be. */
  readonly to: string;
  /** `from` is everything that the tree has: the index becomes that first. */
  readonly isOwn?: boolean;
}

/**
 * Makes the files and the index of a working tree follow a commit that its branch has been moved to. Files that are
 * neither as before nor as they should be are left alone. May be repeated after a crash: files that are done already
 * stay as they are. Returns the paths that were left.
 */
export async function follow(place: GitPlace & { readonly tree: GitTree }, step: Step): Promise<string[]> {
  await using repository = await openTree(place);
  const { writer } = repository;
  const changes = await changesBetween(writer, [step.from, step.to]);
  let left: string[] = [];
  await repository.changeIndex(async (index) => {
    if (step.isOwn) await index.run({ args: ["read-tree", "--reset", step.from] });
    const { done, pending, foreign } = await sort(repository, { top: place.tree.top, changes });
    left = foreign.map(({ path }) => path);
    await setEntries(index, await unstaged(index, [...done, ...foreign]));
    if (pending.length === 0) return;
    const wanted = repository.indexNamed("wanted-index");
    await wanted.run({ args: ["read-tree", "--reset", step.from] });
    await setEntries(wanted, pending.map(entryOf));
    const tree = idIn(await wanted.run({ args: ["write-tree"] }));
    // Fails for entries without the times of their files.
    await index.attempt({ args: ["update-index", "-q", "--refresh"] });
    await index.run({ args: ["read-tree", "-m", "-u", step.from, tree] });
  });
  return left;
}

const entryOf = ({ path, after }: TreeChange) => (after ? { path, object: after } : { path });

/** New entries for those paths whose entries are still the old ones; what someone has staged stays. */
async function unstaged(index: ObjectWriter, changes: readonly TreeChange[]) {
  if (changes.length === 0) return [];
  const staged = await entriesOf(index);
  return changes
    .filter(({ path, before }) => staged.get(path) === (before && `${before.mode} ${before.id}`))
    .map(entryOf);
}

async function entriesOf(index: ObjectWriter): Promise<Map<string, string>> {
  const output = (await index.run({ args: ["ls-files", "--stage", "-z"] })).toString("latin1");
  return new Map(
    output
      .split("\0")
      .slice(0, -1)
      .map((entry): [string, string] => {
        const [mode = "", id = ""] = entry.split(" ", 2);
        return [entry.slice(entry.indexOf("\t") + 1), `${mode} ${id}`];
      }),
  );
}

interface Sorted {
  /** The files are as they should be. */
  readonly done: TreeChange[];
  /** The files are as before. */
  readonly pending: TreeChange[];
  readonly foreign: TreeChange[];
}

async function sort(
  repository: Repository,
  { top, changes }: { readonly top: string; readonly changes: readonly TreeChange[] },
): Promise<Sorted> {
  const isAfter = await matches(repository, { top, changes, side: "after" });
  const isBefore = await matches(repository, { top, changes, side: "before" });
  const done = changes.filter(isAfter);
  const pending = changes.filter((each) => !isAfter(each) && isBefore(each));
  return { done, pending, foreign: changes.filter((each) => !isAfter(each) && !isBefore(each)) };
}

/** Which files are as one side of their changes says. */
async function matches(
  repository: Repository,
  { top, changes, side }: { top: string; changes: readonly TreeChange[]; side: "before" | "after" },
): Promise<(change: TreeChange) => boolean> {
  const index = repository.indexNamed(`${side}-index`);
  await index.run({ args: ["read-tree", "--empty"] });
  await setEntries(
    index,
    changes.flatMap(({ path, [side]: object }) => (object ? { path, object } : [])),
  );
  await index.attempt({ args: ["update-index", "-q", "--refresh"] });
  const output = await index.run({ args: ["diff-files", "--raw", "-z", "--ignore-submodules=dirty"] });
  const different = new Set(parseRaw(output).map(({ path }) => path));
  const present = new Set<string>();
  for (const { path, [side]: object } of changes)
    if (!object && (await lstat(bytesOf(top, path)).catch(() => undefined))) present.add(path);
  return ({ path, [side]: object }) => (object ? !different.has(path) : !present.has(path));
}
