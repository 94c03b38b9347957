import type { GitTree } from "../git/tree.ts";
import type { SessionWorkspace } from "../ports.ts";

/** The working tree of a workspace that Drover made; undefined for the user's own directory. */
export function recordedTree({ path, repository }: SessionWorkspace): GitTree | undefined {
  if (!repository) return undefined;
  const { gitDirectory, treeDirectory } = repository;
  return { top: path, gitDirectory, treeDirectory };
}
