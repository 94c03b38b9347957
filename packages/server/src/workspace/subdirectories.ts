import { opendir, stat } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { rank } from "@drover/core";
import { resolveInBoundary } from "./boundary.ts";
import { hasControl } from "./typed-names.ts";

/** How many entries of one directory are examined. */
const maxEntries = 10_000;

interface Typed {
  /** An absolute path as typed so far: everything after its last slash is the start of a name. */
  readonly path: string;
  readonly limit: number;
}

/** Directories inside the roots that match. Links count if they lead to a directory inside. */
export async function subdirectories({ path, limit }: Typed, roots: readonly string[]): Promise<string[]> {
  if (!isAbsolute(path)) return roots.slice(0, limit);
  const at = path.lastIndexOf("/") + 1;
  const [parent, name] = [path.slice(0, at), path.slice(at)];
  const resolved = await resolveInBoundary(parent, roots);
  // A directory above a root.
  if (!resolved.ok) return roots.filter((root) => root.startsWith(path)).slice(0, limit);
  const names = await namesIn(resolved.value, { name, roots });
  return rank(name, names, (each) => each)
    .slice(0, limit)
    .map((each) => join(parent, each));
}

async function namesIn(
  directory: string,
  { name, roots }: { name: string; roots: readonly string[] },
): Promise<string[]> {
  const names: string[] = [];
  const opened = await opendir(directory).catch(() => undefined);
  if (!opened) return names;
  let seen = 0;
  for await (const entry of opened) {
    if (++seen > maxEntries) break;
    if (hasControl(entry.name) || entry.name.startsWith(".") !== name.startsWith(".")) continue;
    if (entry.isDirectory()) names.push(entry.name);
    else if (entry.isSymbolicLink() && (await leadsInside(join(directory, entry.name), roots))) {
      names.push(entry.name);
    }
  }
  return names.sort();
}

async function leadsInside(link: string, roots: readonly string[]): Promise<boolean> {
  const target = await resolveInBoundary(link, roots);
  return target.ok && (await isDirectory(target.value));
}

const isDirectory = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
