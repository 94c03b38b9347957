import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { ok } from "@drover/core";
import { describe } from "vitest";
import { type WorkspaceStage, workspacesContract } from "../../../../test/contract/workspaces.ts";
import type { WorkspaceManager } from "../../src/ports.ts";
import { comparison } from "../../src/workspace/comparison.ts";
import { localWorkspaces } from "../../src/workspace/local.ts";
import { RepositoryLocks } from "../../src/workspace/repository-lock.ts";
import { worktrees } from "../../src/workspace/worktrees.ts";
import { commit, repository } from "../context/support.ts";
import { deps } from "./support.ts";

async function stage(managerFor: (home: string) => WorkspaceManager): Promise<WorkspaceStage> {
  const directory = await repository();
  await commit(directory.path, { "kept.txt": "one\n" });
  const home = join(directory.path, ".git", "home-of-the-test");
  await mkdir(home);
  return {
    manager: managerFor(home),
    directory: directory.path,
    [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose](),
  };
}

describe("local", () => workspacesContract(() => stage(() => localWorkspaces(comparison(deps)))));

describe("worktree", () =>
  workspacesContract(() =>
    stage((home) =>
      worktrees({
        git: deps,
        comparison: comparison(deps),
        locks: new RepositoryLocks(),
        ports: () => ({ range: [21_000, 21_999], directory: join(home, "ports") }),
        resolvePath: async (path) => ok(path),
        repositoryTop: async (directory) => directory,
      }),
    ),
  ));
