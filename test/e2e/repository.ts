import { execFile } from "node:child_process";
import { mkdtemp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Session } from "@drover/core";
import type { Rig } from "./support.ts";

const run = promisify(execFile);

/** A person's own git in a directory. */
export const gitIn =
  (directory: string) =>
  async (...args: string[]): Promise<string> => {
    const env = { PATH: process.env["PATH"], HOME: directory, GIT_CONFIG_GLOBAL: "/dev/null", LC_ALL: "C" };
    const named = ["-c", "user.name=A", "-c", "user.email=a@example.test", ...args];
    return (await run("git", named, { cwd: directory, env })).stdout.trim();
  };

/** Makes a directory a repository with one commit of `kept.txt`. */
export async function repositoryAt(directory: string): Promise<void> {
  const git = gitIn(directory);
  await git("init", "-q", "-b", "main");
  await writeFile(join(directory, "kept.txt"), "one\n");
  await git("add", "-A");
  await git("commit", "-q", "-m", "first");
}

/** Asks to delete a session that has a file which is in no commit. */
export async function deleteDirty(rig: Rig) {
  const cwd = await mkdtemp(join(rig.home, "work", "dirty-"));
  await repositoryAt(cwd);
  const wanted = { agent: "demo", cwd, workspace: "worktree" };
  const { id, workspace } = await rig.client.post<Session>("/api/sessions", wanted);
  await writeFile(join(workspace.path, "new"), "");
  return rig.client.ask<Record<string, unknown>>("DELETE", `/api/sessions/${id}`);
}
