import { readlink, realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

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
    async (path): Promise<[string, string]> => [
      path,
      await realPath(resolve(directory, spelledOut(path.trim())), maxLinks),
    ],
  );
  return new Map(await Promise.all(real));
}

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
