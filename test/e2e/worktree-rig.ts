// What the suites about worktrees share: a rig whose working directory is a repository.
import { execFile } from "node:child_process";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Session } from "@drover/core";
import { openRig, type Rig } from "./support.ts";

const run = promisify(execFile);

export const inWorktree = { workspace: "worktree", permissionMode: "never" } as const;

/** Git as a person would run it. */
export async function git(home: string, directory: string, ...args: string[]): Promise<string> {
  const env = { PATH: process.env["PATH"], HOME: home, GIT_CONFIG_GLOBAL: "/dev/null" };
  const identity = ["-c", "user.name=A", "-c", "user.email=a@example.test"];
  return (await run("git", [...identity, ...args], { cwd: directory, env })).stdout.trim();
}

export interface WorktreeRig extends Rig {
  /** The checkout. */
  readonly work: string;
  readonly git: (...args: string[]) => Promise<string>;
  /** The path of a session's worktree. */
  readonly treeOf: (name: string) => string;
  /** What differs from a repository that Drover never used: registrations, refs, files. */
  readonly traces: () => Promise<string[]>;
}

export async function openWorktreeRig(options: Parameters<typeof openRig>[0] = {}): Promise<WorktreeRig> {
  return withRepository(await openRig(options));
}

/** The same on a server that the tests of a file share. Afterwards it has no sessions, and its names are free again. */
export async function worktreesOn(shared: Rig): Promise<WorktreeRig> {
  const rig = await withRepository(shared);
  return Object.assign(rig, {
    [Symbol.asyncDispose]: async () => {
      const { sessions } = await rig.client.get<{ sessions: Session[] }>("/api/sessions");
      // Without the files, Drover has nothing to keep. A checkpoint may still be writing.
      await rm(rig.work, { recursive: true, maxRetries: 20, retryDelay: 100 });
      await Promise.all(sessions.map(({ id }) => rig.client.delete(`/api/sessions/${id}?force=1`)));
      // A worker that was about to commit may have made it again.
      await mkdir(rig.work, { recursive: true });
    },
  });
}

/** Makes the rig's working directory a repository with one commit. */
async function withRepository(rig: Rig): Promise<WorktreeRig> {
  const work = join(rig.home, "work");
  const gitHere = (...args: string[]) => git(rig.home, work, ...args);
  await gitHere("init", "-q", "-b", "main");
  await mkdir(join(work, "sub"));
  await writeFile(join(work, "kept.txt"), "one\n");
  await writeFile(join(work, "sub", "inner.txt"), "inner\n");
  await gitHere("add", "-A");
  await gitHere("commit", "-q", "-m", "first");
  return Object.assign(Object.create(rig) as Rig, {
    work,
    git: gitHere,
    treeOf: (name: string) => join(work, ".drover-worktrees", name),
    traces: async () => {
      const refs = await gitHere("for-each-ref", "--format=%(refname)");
      const trees = await gitHere("worktree", "list", "--porcelain");
      const files = await gitHere("status", "--porcelain", "--ignored");
      return [
        ...refs.split("\n").filter((ref) => ref !== "refs/heads/main"),
        ...trees.split("\n").filter((line) => line.startsWith("worktree ") && line !== `worktree ${work}`),
        ...files.split("\n").filter(Boolean),
      ];
    },
  });
}
