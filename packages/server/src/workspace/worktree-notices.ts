import { join } from "node:path";
import type { FoundTree } from "../git/tree.ts";
import type { GitMeans } from "../git/worktree.ts";
import type { SessionWorkspace, WorkspaceNotice } from "../ports.ts";
import { listChanges } from "./changes.ts";
import { isFile, type WorkspaceDeps } from "./comparison.ts";
import { openWorkingCopy } from "./working-copy.ts";

const maxListed = 50;

/** What a new worktree lacks compared with the checkout. If git fails here, there is no notice about changes. */
export async function noticesFor(
  git: WorkspaceDeps,
  { from, workspace }: { from: FoundTree; workspace: SessionWorkspace },
  means: GitMeans,
): Promise<WorkspaceNotice[]> {
  const notices: WorkspaceNotice[] = [];
  const files = await changesOf(git, from, means).catch(() => []);
  if (files.length > 0) {
    const what = files.length === 1 ? "1 uncommitted change" : `${files.length} uncommitted changes`;
    const message = `${what} in ${from.top} stayed there: the worktree starts from ${workspace.base?.ref}`;
    notices.push({ code: "BASE_DIRTY", message, facts: { files: files.slice(0, maxListed) } });
  }
  if (await isFile(join(workspace.path, ".gitmodules"))) {
    const message = "Submodules are not in the worktree; `git submodule update --init` fetches them";
    notices.push({ code: "SUBMODULES_MISSING", message, facts: {} });
  }
  return notices;
}

async function changesOf(git: WorkspaceDeps, { top }: FoundTree, means: GitMeans): Promise<string[]> {
  await using copy = await openWorkingCopy({ ...means, cwd: top, scratch: git.scratch });
  return copy ? (await listChanges(copy)).map(({ path }) => path) : [];
}
