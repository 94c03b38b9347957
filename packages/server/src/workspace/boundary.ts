import { lstat, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { ok, type Rejection, type Result, reject } from "@drover/core";

/** No system accepts a longer path, and it would not be worth repeating in an answer. */
const maxPathBytes = 4096;

/**
 * Resolves a client's path to its real path, which must be inside one of the roots. A path that does not exist yet is
 * judged by its nearest existing ancestor. The result contains no links and is the only form to use afterwards. `field`
 * is where the client gave it.
 */
export async function resolveInBoundary(
  path: string,
  roots: readonly string[],
  field = "path",
): Promise<Result<string, Rejection>> {
  if (path.includes("\0")) return reject("NULL_BYTE", "A path can't contain a NUL byte; remove it");
  const size = Buffer.byteLength(path);
  if (size > maxPathBytes) {
    const message = `The path has ${size} bytes, but at most ${maxPathBytes} are allowed; use a shorter one`;
    return reject("BAD_REQUEST", message, { issues: [{ path: field, message }] });
  }
  if (!isAbsolute(path)) {
    const message = `"${path}" is relative; give the absolute path`;
    return reject("BAD_REQUEST", message, { issues: [{ path: field, message }] });
  }
  const real = await realpathOfAncestor(resolve(path));
  if (!real.ok) return real;
  for (const root of roots) {
    const realRoot = await realpath(root).catch(() => undefined);
    if (realRoot !== undefined && contains(realRoot, real.value)) return real;
  }
  return outside(path);
}

/** By path segments, not by characters: `/srv/a` does not contain `/srv/a-evil`. */
export function contains(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

async function realpathOfAncestor(path: string): Promise<Result<string, Rejection>> {
  const missing: string[] = [];
  for (let ancestor = path; ; ancestor = dirname(ancestor)) {
    try {
      return ok(join(await realpath(ancestor), ...missing));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== "ENOENT" && code !== "ENOTDIR") return denied(path);
      // Creating what a dangling link names would follow the link.
      if (await isLink(ancestor)) return outside(path);
      missing.unshift(basename(ancestor));
    }
  }
}

async function isLink(path: string): Promise<boolean> {
  return lstat(path).then(
    (found) => found.isSymbolicLink(),
    () => false,
  );
}

const outside = (path: string) =>
  reject(
    "OUTSIDE_BOUNDARY",
    `${path} is outside the allowed directories: your home, unless server.roots in drover.yaml names others`,
  );

const denied = (path: string) =>
  reject(
    "PERMISSION_DENIED",
    `${path} cannot be reached by the user Drover runs as; let that user in, or choose another`,
  );
