import { readlink, realpath, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { decidesWhatRuns, mayExpandTo } from "@drover/core";

const maxLength = 4_096;
/** No edit names more files than this. */
const maxPaths = 1_000;
const maxLinks = 40;

/**
 * Where paths relative to `directory`, or absolute ones, lead: links are resolved as far as the path exists. Undefined
 * if there are too many to resolve.
 */
export async function realPaths(
  paths: readonly string[],
  directory: string,
): Promise<ReadonlyMap<string, string> | undefined> {
  const followed = [...new Set(paths)].filter((path) => path.length <= maxLength && !path.includes("\0"));
  if (followed.length > maxPaths) return undefined;
  const real = followed.map(
    async (path): Promise<[string, string]> => [path, await targetOf(spelledOut(path.trim()), directory)],
  );
  return new Map(await Promise.all(real));
}

/**
 * Those of the paths that lead to a directory, by what `realPaths` has found out, or that a tool may expand: to a
 * directory, or to what decides what runs.
 */
export async function directoriesAmong(
  paths: readonly string[],
  real: ReadonlyMap<string, string>,
): Promise<ReadonlySet<string>> {
  const found = paths.map(async (path) => {
    if ([".git", "drover.yaml"].some((name) => mayExpandTo(path, name))) return [path];
    const isDirectory = await stat(real.get(path) ?? path).then(
      (entry) => entry.isDirectory(),
      () => /[*?]/.test(path),
    );
    return isDirectory ? [path] : [];
  });
  return new Set((await Promise.all(found)).flat());
}

/**
 * `link/..` is the parent of the link's target if the path is opened as it is, and the link's own parent if the agent
 * normalizes it first. If one of the two needs a person's approval, it is that one.
 */
async function targetOf(path: string, directory: string): Promise<string> {
  const normalized = await realPath(resolve(directory, path), maxLinks);
  if (!/(^|\/)\.\.(\/|$)/.test(path)) return normalized;
  const opened = await openedPath(isAbsolute(path) ? path : `${directory}/${path}`);
  return [opened, normalized].find(decidesWhatRuns) ?? opened;
}

/** Where the system ends up when it opens the path: one part after the other, following each link. */
async function openedPath(path: string): Promise<string> {
  const parts = path.split("/");
  let at = "/";
  for (let links = 0; parts.length > 0; ) {
    const part = parts.shift() ?? "";
    const next = join(at, part);
    const target = part === "" || part === "." || part === ".." ? undefined : await linkTarget(next);
    if (target === undefined || ++links > maxLinks) {
      at = next;
      continue;
    }
    parts.unshift(...target.split("/"));
    if (isAbsolute(target)) at = "/";
  }
  return at;
}

const linkTarget = (path: string) => readlink(path).catch(() => undefined);

/** Paths as agents also write them: as a `file:` URL, or relative to the home directory. */
function spelledOut(path: string): string {
  if (path.startsWith("~/")) return join(homedir(), path.slice(2));
  if (!/^file:/i.test(path)) return path;
  try {
    return fileURLToPath(path);
  } catch {
    return path;
  }
}

async function realPath(path: string, links: number): Promise<string> {
  for (let ancestor = path; ; ancestor = dirname(ancestor)) {
    const real = await realpath(ancestor).catch(() => undefined);
    if (real !== undefined) return join(real, relative(ancestor, path));
    // Creating the target of a dangling link would follow it.
    const target = links > 0 ? await readlink(ancestor).catch(() => undefined) : undefined;
    if (target !== undefined) {
      const parent = await realpath(dirname(ancestor)).catch(() => dirname(ancestor));
      return realPath(join(resolve(parent, target), relative(ancestor, path)), links - 1);
    }
    if (ancestor === dirname(ancestor)) return path;
  }
}
