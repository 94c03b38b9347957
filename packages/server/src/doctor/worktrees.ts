import type { Finding, WorktreeInfo } from "@drover/core";
import { note } from "./finding.ts";
import { bytes } from "./words.ts";

/** Worktrees that no session has, and those that are no longer needed. */
export function checkWorktrees(worktrees: readonly WorktreeInfo[]): Finding[] {
  const orphaned = worktrees.filter((each) => each.orphaned);
  const merged = worktrees.filter((each) => isPrunable(each) && !each.orphaned);
  return [
    ...orphaned.map(({ path, size, dirty = 0 }) => {
      const work = dirty > 0 ? `, ${dirty === 1 ? "1 uncommitted file" : `${dirty} uncommitted files`}` : "";
      const what = `${path} has no session: ${bytes(size)}${work}`;
      const how = `\`drover workspaces rm ${path}${dirty > 0 ? " --force" : ""}\` removes it; its branch stays.`;
      return note("worktrees", what, dirty > 0 ? `${how} The files are kept under a ref.` : how);
    }),
    ...(merged.length > 0
      ? [
          note(
            "worktrees",
            `${merged.length === 1 ? "1 worktree is" : `${merged.length} worktrees are`} merged: ${bytes(sum(merged))}`,
            "`drover prune --worktrees` removes them.",
          ),
        ]
      : []),
  ];
}

/** Everything in it is in the checkout, too. */
export const isPrunable = ({ state, merged, dirty }: WorktreeInfo): boolean =>
  state === "ready" && merged && dirty === 0;

const sum = (worktrees: readonly WorktreeInfo[]): number =>
  worktrees.reduce((total, { size }) => total + size, 0);
