import { lstat } from "node:fs/promises";
import type { TreeChange } from "./checkpoint-restore.ts";
import { bytesOf, STATUS_ARGS } from "./checkpoint-scan.ts";
import { type GitPlace, openRepository, type Repository } from "./repository.ts";
import type { GitTree } from "./tree.ts";

/**
 * The changed, untracked or ignored files of a working tree that would be lost or refused if these changes were made to
 * its last commit. Paths are relative to the top, and Latin 1 stands for bytes.
 */
export async function filesInTheWay(
  place: GitPlace & { readonly tree: GitTree },
  touched: readonly TreeChange[],
): Promise<string[]> {
  await using checkout = await openRepository(place);
  if (!checkout) return [];
  const status = await checkout.run({ args: [...STATUS_ARGS, "--untracked-files=no"] });
  const changed = status.toString("latin1").split("\0").slice(0, -1);
  const all = new Set(touched.map(({ path }) => path));
  const added = new Set(touched.filter(({ before }) => !before).map(({ path }) => path));
  const isTouched = (path: string) => all.has(path) || parentsOf(path).some((each) => added.has(each));
  const found = changed.map((entry) => entry.slice(3)).filter(isTouched);
  return [...new Set([...found, ...(await filesInPlaceOf(checkout, place.tree.top, touched))])].sort();
}

/** The files of a working tree that lie where these changes would add one. */
export async function filesInPlaceOf(
  checkout: Pick<Repository, "run">,
  top: string,
  touched: readonly TreeChange[],
): Promise<string[]> {
  const added = touched.filter(({ before }) => !before).map(({ path }) => path);
  const removed = new Set(touched.filter(({ after }) => !after).map(({ path }) => path));
  const found = new Set<string>();
  const look = lookBelow(top);
  for (const path of added) {
    const { kind, at } = await look(path);
    if (kind === "file" && !removed.has(at)) found.add(at);
    if (kind !== "directory") continue;
    const args = ["ls-files", "--others", "--directory", "--no-empty-directory", "-z"];
    const others = await checkout.run({ args, paths: [Buffer.from(path, "latin1")] });
    for (const other of others.toString("latin1").split("\0").slice(0, -1)) found.add(other);
  }
  return [...found];
}

/** `a/b/c` → `a/b`, `a`. */
function parentsOf(path: string): string[] {
  const end = path.lastIndexOf("/");
  return end < 0 ? [] : [path.slice(0, end), ...parentsOf(path.slice(0, end))];
}

interface Found {
  readonly kind: "nothing" | "file" | "directory";
  /** The path itself, or the first one above it that is no directory. */
  readonly at: string;
}

/** Looks at paths below a directory. A link counts as a file. */
function lookBelow(top: string): (path: string) => Promise<Found> {
  const directories = new Map<string, Promise<Found>>();
  const look = async (path: string): Promise<Found> => {
    const [parent] = parentsOf(path);
    if (parent !== undefined) {
      const above = directories.get(parent) ?? look(parent);
      directories.set(parent, above);
      const found = await above;
      if (found.kind !== "directory") return found;
    }
    const file = await lstat(bytesOf(top, path)).catch(() => undefined);
    return { kind: !file ? "nothing" : file.isDirectory() ? "directory" : "file", at: path };
  };
  return look;
}
