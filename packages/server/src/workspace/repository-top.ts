import { realpath } from "node:fs/promises";
import { findTop } from "../git/find-top.ts";
import { contains, resolveInBoundary } from "./boundary.ts";

interface Bounds {
  /** The user's home directory. */
  readonly home: string;
  readonly roots: readonly string[];
  /** A directory that is its own top, even if a repository surrounds it. */
  readonly standalone: string;
}

/**
 * The top of the repository that a directory is in. Undefined if there is none, if it is outside the roots, or if it
 * is the user's home or above: a repository there holds dotfiles, not everything below.
 */
export async function repositoryTop(
  directory: string,
  { home, roots, standalone }: Bounds,
): Promise<string | undefined> {
  const real = await realpath(standalone).catch(() => standalone);
  if (contains(real, directory)) return real;
  const top = await findTop(directory);
  if (top === undefined || (await isHomeOrAbove(top, home))) return undefined;
  return (await resolveInBoundary(top, roots)).ok ? top : undefined;
}

/** Whether a directory is the user's home, or contains it. */
export async function isHomeOrAbove(directory: string, home: string): Promise<boolean> {
  return contains(directory, await realpath(home).catch(() => home));
}
