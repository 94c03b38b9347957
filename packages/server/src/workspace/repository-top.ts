import { realpath } from "node:fs/promises";
import { findTop } from "../git/find-top.ts";
import { contains, resolveInBoundary } from "./boundary.ts";

/**
 * The top of the repository that a directory lies in. Undefined when there is none, when it is outside the roots, and
 * when it is the user's home or above: a repository there holds dotfiles, not everything below.
 */
export async function repositoryTop(
  directory: string,
  { home, roots }: { readonly home: string; readonly roots: readonly string[] },
): Promise<string | undefined> {
  const top = await findTop(directory);
  if (top === undefined || contains(top, await realpath(home).catch(() => home))) return undefined;
  return (await resolveInBoundary(top, roots)).ok ? top : undefined;
}
