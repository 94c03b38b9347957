import { lstat } from "node:fs/promises";
import { setEntries, type TreeEntry } from "./checkpoint.ts";
import { parseRaw, type TreeChange } from "./checkpoint-restore.ts";
import { bytesOf } from "./checkpoint-scan.ts";
import { isAt } from "./commit.ts";
import { filesInPlaceOf } from "./in-the-way.ts";
import { changesBetween } from "./merge.ts";
import { isAncestor, openTree } from "./merge-work.ts";
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
  /**
   * `to` is a commit that the branch was moved to. If someone has committed more since, the files follow to that; if the
   * tree is elsewhere by now, it stays as it is.
   */
  readonly isTip?: boolean;
}

/**
 * Makes the files and the index of a working tree follow its branch. Files that are neither as before nor as they should
 * be, or staged as something else, are left alone. May be repeated after a crash: files that are done already stay as
 * they are.
 */
export async function follow(place: GitPlace & { readonly tree: GitTree }, step: Step): Promise<void> {
  await using repository = await openTree(place);
  const { writer } = repository;
  const to = step.isTip ? await tipBeyond(repository, step.to) : step.to;
  if (to === undefined) return;
  const changes = await changesBetween(writer, [step.from, to]);
  await repository.changeIndex(async (index) => {
    if (step.isOwn) await index.run({ args: ["read-tree", "--reset", step.from] });
    const staged = await entriesOf(index);
    const { settled, pending } = await sort(repository, { top: place.tree.top, changes, staged });
    await setEntries(index, settled.filter((each) => isStaged(staged, each, "before")).map(entryOf));
    if (pending.length === 0) return;
    const wanted = repository.indexNamed("wanted-index");
    await wanted.run({ args: ["read-tree", "--reset", step.from] });
    await setEntries(wanted, pending.map(entryOf));
    const tree = idIn(await wanted.run({ args: ["write-tree"] }));
    // Fails for entries without the times of their files.
    await index.attempt({ args: ["update-index", "-q", "--refresh"] });
    await index.run({ args: ["read-tree", "-m", "-u", step.from, tree] });
  });
}

/** The last commit of a tree, if its history contains this one. */
async function tipBeyond({ writer, commit: head }: Repository, commit: string): Promise<string | undefined> {
  return head !== undefined && (await isAncestor(writer, [commit, head])) ? head : undefined;
}

const entryOf = ({ path, after }: TreeChange): TreeEntry => ({ path, object: after });

interface Staged {
  /** Mode and id. */
  readonly object: string;
  /** A sparse checkout leaves the file out. */
  readonly isSkipped: boolean;
}

async function entriesOf(index: ObjectWriter): Promise<Map<string, Staged>> {
  const output = (await index.run({ args: ["ls-files", "--stage", "-t", "-z"] })).toString("latin1");
  return new Map(
    output
      .split("\0")
      .slice(0, -1)
      .map((entry): [string, Staged] => {
        const [tag, mode = "", id = ""] = entry.split(" ", 3);
        const path = entry.slice(entry.indexOf("\t") + 1);
        return [path, { object: `${mode} ${id}`, isSkipped: tag === "S" }];
      }),
  );
}

function isStaged(
  staged: ReadonlyMap<string, Staged>,
  change: TreeChange,
  side: "before" | "after",
): boolean {
  const object = change[side];
  return staged.get(change.path)?.object === (object && `${object.mode} ${object.id}`);
}

interface Sorting {
  readonly top: string;
  readonly changes: readonly TreeChange[];
  readonly staged: ReadonlyMap<string, Staged>;
}

/** `settled` files are as they should be, or somebody's; `pending` ones are as before. */
async function sort(
  repository: Repository,
  { top, changes, staged }: Sorting,
): Promise<{ settled: TreeChange[]; pending: TreeChange[] }> {
  const isAfter = await matches(repository, top, changes.map(entryOf));
  const isBefore = await matches(
    repository,
    top,
    changes.map(({ path, before: object }) => ({ path, object })),
  );
  const isLeftOut = async ({ path }: TreeChange) =>
    staged.get(path)?.isSkipped === true && !(await isPresent(top, path));
  const isKnown = (each: TreeChange) => isStaged(staged, each, "before") || isStaged(staged, each, "after");
  const free: TreeChange[] = [];
  for (const each of changes)
    if (isKnown(each) && !isAfter(each.path) && (isBefore(each.path) || (await isLeftOut(each))))
      free.push(each);
  // Git would refuse all of them for one file in the way.
  const blocked = await filesInPlaceOf(repository, top, free);
  const isBlocked = ({ path }: TreeChange) => blocked.some((each) => isAt(each, path) || isAt(path, each));
  const pending = new Set(free.filter((each) => !isBlocked(each)));
  return { settled: changes.filter((each) => !pending.has(each)), pending: [...pending] };
}

/** Which paths of a working tree are as these entries say. */
export async function matches(
  repository: Repository,
  top: string,
  entries: readonly TreeEntry[],
): Promise<(path: string) => boolean> {
  const index = repository.indexNamed("matching-index");
  await index.run({ args: ["read-tree", "--empty"] });
  await setEntries(
    index,
    entries.filter(({ object }) => object),
  );
  await index.attempt({ args: ["update-index", "-q", "--refresh"] });
  const output = await index.run({ args: ["diff-files", "--raw", "-z", "--ignore-submodules=dirty"] });
  const different = new Set(parseRaw(output).map(({ path }) => path));
  for (const { path, object } of entries) if (!object && (await isPresent(top, path))) different.add(path);
  return (path) => !different.has(path);
}

/**
 * Whether there is a file or a link. A directory is no file that a change could be about, and what lies behind a link is
 * not in the tree.
 */
async function isPresent(top: string, path: string): Promise<boolean> {
  const names = path.split("/");
  for (let depth = 1; depth <= names.length; depth += 1) {
    const found = await lstat(bytesOf(top, names.slice(0, depth).join("/"))).catch(() => undefined);
    if (depth === names.length) return found !== undefined && !found.isDirectory();
    if (!found?.isDirectory()) return false;
  }
  return false;
}
