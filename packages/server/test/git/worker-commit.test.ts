// Drover commits what a worker has changed.
import { access, chmod, mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { RepositoryLocks } from "../../src/workspace/repository-lock.ts";
import { workerCommits } from "../../src/workspace/worker-commits.ts";
import { MergeStage } from "./merge-stage.ts";

const order = { sessionId: "ses_1", run: 2, subject: "Fix it", since: undefined };

function commitIn(at: MergeStage, more: { readonly since?: string } = {}) {
  const environment = { PATH: at.path, HOME: at.stage.home };
  const limits = { gitTimeoutMs: 20_000, worktreeTimeoutMs: 20_000 };
  const commit = workerCommits(
    { ...limits, environment, scratch: at.stage.beside("scratch") },
    new RepositoryLocks(),
  );
  return commit({ cwd: at.tree, workspace: at.workspace }, { ...order, ...more });
}

const messageOf = (at: MergeStage) => at.stage.gitIn(at.tree, "log", "-1", "--format=%an%n%B");

test("everything but Drover's own folder is committed for the user, without hooks, and once", async () => {
  await using at = await MergeStage.open();
  const hook = join(at.stage.path(".git"), "hooks", "pre-commit");
  await mkdir(dirname(hook), { recursive: true });
  await writeFile(hook, `#!/bin/sh\ntouch ${at.stage.beside("hooked")}\nexit 1\n`);
  await chmod(hook, 0o755);
  await at.write({ "new.txt": "new\n", ".drover/output/signal.json": "{}", "sub/.drover/x": "x" });
  const first = await commitIn(at);
  expect(first).toMatchObject({ ok: true, value: { count: 1, byDrover: true } });
  expect(await messageOf(at)).toBe("A Person\nFix it\n\nDrover-Session: ses_1\nDrover-Run: 2");
  expect(await at.stage.gitIn(at.tree, "show", "--name-only", "--format=")).toBe("new.txt");
  expect(await at.stage.gitIn(at.tree, "diff", "--cached", "--name-only")).toBe("");
  await expect(access(at.stage.beside("hooked"))).rejects.toThrow("ENOENT");
  // A server that was killed after it asks again.
  expect(await commitIn(at)).toEqual(first);
});

test("an agent's own commits are counted, and nothing is committed if it left nothing", async () => {
  await using at = await MergeStage.open();
  expect(await commitIn(at)).toMatchObject({ value: { count: 0, byDrover: false } });
  await at.commit({ "one.txt": "one\n" });
  await at.commit({ "two.txt": "two\n" });
  const own = await commitIn(at);
  expect(own).toMatchObject({ value: { count: 2, byDrover: false } });
  await at.write({ "three.txt": "three\n" });
  const since = own.ok ? own.value.head : "";
  expect(await commitIn(at, { since })).toMatchObject({ value: { count: 1, byDrover: true } });
  // A commit that was reported may be gone.
  expect(await commitIn(at, { since: "f".repeat(40) })).toMatchObject({ value: { count: 3 } });
});

test("without an identity Drover commits as itself", async () => {
  await using at = await MergeStage.open();
  await at.stage.git("config", "--unset", "user.name");
  await at.stage.git("config", "--unset", "user.email");
  await at.write({ "new.txt": "new\n" });
  expect(await commitIn(at)).toMatchObject({ ok: true });
  expect(await messageOf(at)).toMatch(/^Drover\n/);
});

test("what a worker is in the middle of is left alone, and named", async () => {
  await using at = await MergeStage.open();
  await at.write({ "new.txt": "new\n" });
  const head = await at.stage.git("rev-parse", "drover/fox");
  const inProgress = join(at.stage.path(".git"), "worktrees", "fox", "MERGE_HEAD");
  await writeFile(inProgress, `${head}\n`);
  expect(await commitIn(at)).toMatchObject({ error: { code: "COMMIT_REFUSED", facts: { reason: "merge" } } });
  await rm(inProgress);
  await at.stage.gitIn(at.tree, "checkout", "-q", "--detach");
  expect(await commitIn(at)).toMatchObject({ error: { facts: { reason: "detached" } } });
  expect(await at.stage.git("rev-parse", "drover/fox")).toBe(head);
});
