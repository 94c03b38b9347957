// Ignored files that a new worktree gets from the checkout.
import { existsSync } from "node:fs";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openSession } from "./support.ts";
import { inWorktree, openWorktreeRig } from "./worktree-rig.ts";

test("ignored files that .worktreeinclude names are copied in a trusted project, and nothing else", async () => {
  await using rig = await openWorktreeRig();
  const write = (path: string, content: string) => writeFile(join(rig.work, path), content);
  await write(".gitignore", "*.env\ncache/\nout\n");
  await write(".worktreeinclude", "*.env\ncache/seed\nkept.txt\nplain.txt\nout\n");
  await rig.git("add", "-A");
  await rig.git("commit", "-q", "-m", "ignore");
  await mkdir(join(rig.work, "cache"));
  await write("local.env", "SECRET=1");
  await write("cache/seed", "seed");
  await write("cache/other", "other");
  await write("plain.txt", "not ignored");
  await symlink(rig.home, join(rig.work, "out"));
  await using untrusted = await openSession(rig, "demo", { ...inWorktree, name: "bat" });
  const { cwd: elsewhere, projectId } = await untrusted.get();
  expect(existsSync(join(elsewhere, "local.env"))).toBe(false);
  await rig.client.patch(`/api/projects/${projectId}`, { trusted: true });
  await using session = await openSession(rig, "demo", { ...inWorktree, name: "fox" });
  const { cwd } = await session.get();
  expect(await readFile(join(cwd, "local.env"), "utf8")).toBe("SECRET=1");
  expect(await readFile(join(cwd, "cache", "seed"), "utf8")).toBe("seed");
  for (const absent of ["cache/other", "plain.txt", "out"]) expect(existsSync(join(cwd, absent))).toBe(false);
  expect(await readFile(join(cwd, "kept.txt"), "utf8")).toBe("one\n");
});
