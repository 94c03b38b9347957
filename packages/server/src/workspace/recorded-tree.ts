import type { GitTree } from "../git/tree.ts";
import type { SessionWorkspace } from "../ports.ts";

/** The working tree of a workspace that Drover made; undefined for a directory of the user's own. */
export function recordedTree({ path, repository }: SessionWorkspace): GitTree | undefined {
  if (!repository) return undefined;
  const { gitDirectory, treeDirectory } = repository;
  return { top: path, gitDirectory, treeDirectory };
}
