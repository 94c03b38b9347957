import { lstat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/** What makes a directory one of git's: the first of these, and two or the last of the others. */
const parts = ["HEAD", "objects", "refs", "commondir"];

/**
 * Those of these real paths that lie in a git directory, or would make a directory one. It may have any name: bare
 * repositories do, and what a `.git` file leads to.
 */
export async function inGitDirectories(paths: Iterable<string>): Promise<ReadonlySet<string>> {
  const known = new Map<string, Promise<string[]>>();
  const partsOf = (directory: string) => {
    const found = known.get(directory) ?? partsIn(directory);
    known.set(directory, found);
    return found;
  };
  const found = new Set<string>();
  for (const path of new Set(paths)) {
    for (let at = path; dirname(at) !== at; at = dirname(at)) {
      const names = new Set([...(await partsOf(dirname(at))), basename(at)]);
      const isWhole = (names.has("objects") && names.has("refs")) || names.has("commondir");
      if (names.has("HEAD") && isWhole) found.add(path);
    }
  }
  return found;
}

async function partsIn(directory: string): Promise<string[]> {
  const found = parts.map((name) =>
    lstat(join(directory, name)).then(
      () => [name],
      () => [],
    ),
  );
  return (await Promise.all(found)).flat();
}
