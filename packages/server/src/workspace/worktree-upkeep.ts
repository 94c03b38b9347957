import { realpath, rename } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { err, type KeptWorkInfo, ok, type Rejection, type Result, reject, shellWord } from "@drover/core";
import { removeAbandonedLock } from "../git/index-lock.ts";
import { type KeptCommit, readKept, writeKept } from "../git/kept.ts";
import { updateRefs } from "../git/refs.ts";
import { type FoundTree, findTree } from "../git/tree.ts";
import { commitOf, type GitMeans } from "../git/worktree.ts";
import type { Begin, SessionWorkspace, WorktreeUpkeep } from "../ports.ts";
import { isThere } from "./comparison.ts";
import { moveNested } from "./move-nested.ts";
import { Patience } from "./patience.ts";
import { recordedTree } from "./recorded-tree.ts";
import { leadsElsewhere, make, type Plan, pathTaken, type WorktreeDeps, writing } from "./worktree-create.ts";
import { FOLDER, unregister } from "./worktree-files.ts";
import { strangers, surveyWorktrees } from "./worktree-survey.ts";

/** Runs something while nothing else changes the worktrees of a repository. */
export type Exclusively = <T>(gitDirectory: string, work: (means: GitMeans) => Promise<T>) => Promise<T>;

export function worktreeUpkeep(deps: WorktreeDeps, exclusively: Exclusively): WorktreeUpkeep {
  const { git } = deps;

  async function patiently<T>(work: (means: GitMeans) => Promise<T>): Promise<T> {
    using patience = new Patience(git.worktreeTimeoutMs);
    return await work({ environment: git.environment, signal: patience.signal });
  }

  async function reopen(kept: KeptWorkInfo, begin: Begin): Promise<Result<SessionWorkspace, Rejection>> {
    const repository = await mainTree(kept.repository);
    if (!repository) return goneRef(kept);
    return exclusively(repository.gitDirectory, async (means) => {
      const work = (await readKept(repository, means)).find(({ ref }) => ref === kept.ref);
      if (!work) return goneRef(kept);
      const path = join(repository.mainTop, FOLDER, kept.name);
      const resolved = await deps.resolvePath(path, "ref");
      if (!resolved.ok) return resolved;
      // A planted link would lead the files elsewhere.
      if (resolved.value !== path) return leadsElsewhere(path);
      const planned = await plan(repository, { kept, work }, means);
      if (!planned.ok) return planned;
      await begin(planned.value.workspace);
      const { workspace } = await make(deps, planned.value, means);
      const tree = recordedTree(workspace);
      const place = { ...means, cwd: workspace.path, scratch: git.scratch };
      const attempt = { workspace: planned.value.workspace, commit: work.commit };
      if (tree) await writing(attempt, means, writeKept({ ...place, tree }, work));
      return ok(workspace);
    });
  }

  return {
    survey: (known, tops) => patiently((means) => surveyWorktrees(git, { known, tops }, means)),
    async orphan(path, tops) {
      const found = await Promise.all(tops.map((top) => strangers(top, [])));
      return found.flat().find((each) => each.path === path);
    },
    async retire(workspace, begin) {
      const { repository, path } = workspace;
      if (!repository || !(await isThere(repository.gitDirectory))) return [];
      if ((await realpath(dirname(path)).catch(() => dirname(path))) !== dirname(path)) return [];
      return exclusively(repository.gitDirectory, async (means) => {
        // Before its registration goes, which has the submodules' commits.
        const moved = await moveNested(git, workspace, means);
        const aside = `${path}.removed-${Date.now()}`;
        // Without its branch, which stays.
        const { branch: _, ...rest } = workspace;
        await begin({ ...rest, path: aside });
        await rename(path, aside).catch((error: NodeJS.ErrnoException) => {
          if (error.code !== "ENOENT") throw error;
        });
        await unregister(path, repository);
        return moved;
      });
    },
    kept: (tops) =>
      patiently(async (means) => {
        const found: KeptWorkInfo[] = [];
        for (const top of tops) {
          const repository = await mainTree(top);
          const work = repository ? await readKept(repository, means).catch(() => []) : [];
          found.push(...work.map(({ ref }) => ({ ...named(ref), ref, repository: top })));
        }
        return found;
      }),
    reopen,
    async forget({ repository: top, ref }) {
      const repository = await mainTree(top);
      if (repository) await patiently((means) => updateRefs(repository, [{ ref, to: null }], means));
    },
    async unlock(directories) {
      for (const directory of directories) {
        const tree = await findTree(directory).catch(() => undefined);
        if (tree) await removeAbandonedLock(join(tree.treeDirectory, "index"));
      }
    },
  };
}

async function mainTree(top: string): Promise<FoundTree | undefined> {
  const tree = await findTree(top).catch(() => undefined);
  return tree?.top === top && tree.mainTop === top ? tree : undefined;
}

/** `refs/drover/kept/NAME/20261117T053012123Z`. */
function named(ref: string): Pick<KeptWorkInfo, "name" | "at"> {
  const [name = "", time = ""] = ref.split("/").slice(-2);
  const at = time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z$/, "$1-$2-$3T$4:$5:$6.$7Z");
  return { name, at };
}

/** The branch must be where the work began: on top of other files, it would undo them. */
async function plan(
  { mainTop: top, gitDirectory }: FoundTree,
  { kept, work }: { kept: KeptWorkInfo; work: KeptCommit },
  means: GitMeans,
): Promise<Result<Plan, Rejection>> {
  const { name, ref } = kept;
  const branch = `drover/${name}`;
  const path = join(top, FOLDER, name);
  if (await isThere(path)) return pathTaken(path);
  const tip = await commitOf(
    { top, gitDirectory, treeDirectory: gitDirectory },
    `refs/heads/${branch}`,
    means,
  );
  if (tip !== undefined && tip !== work.base) return moved(top, { branch, ref, path });
  return ok({
    workspace: {
      ...{ mode: "worktree", path, projectDir: top, branch, confined: false },
      repository: { top, gitDirectory, treeDirectory: join(gitDirectory, "worktrees", basename(path)) },
      base: { ref: branch, commit: work.base },
      ...(tip === undefined ? { isNewBranch: true } : {}),
    },
    cwd: path,
    commit: work.base,
    existing: tip === undefined ? "nothing" : "branch",
  });
}

function moved(top: string, { branch, ref, path }: { branch: string; ref: string; path: string }) {
  const command = `git -C ${shellWord(top)} worktree add -b ${shellWord(`${branch}-kept`)} ${shellWord(`${path}-kept`)} ${shellWord(ref)}`;
  const message = `The branch ${branch} has moved on since this work was kept. To get it on a branch of its own, run \`${command}\``;
  return reject("NAME_TAKEN", message, { branch, command });
}

const goneRef = ({ ref, repository }: KeptWorkInfo) =>
  err({
    code: "NOT_FOUND" as const,
    message: `${repository} no longer has ${ref}; \`drover workspaces\` lists what is kept`,
    facts: { what: "kept work" },
  });
