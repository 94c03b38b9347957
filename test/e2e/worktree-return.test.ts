// Worktrees that are made again get the files of the last checkpoint. A session learns who else works in its directory.
import { mkdir, readFile, readlink, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { EventOf } from "@drover/core";
import { expect, test } from "vitest";
import { until } from "../kit/until.ts";
import { asked } from "./asking.ts";
import { type Conversation, openSession } from "./support.ts";
import { git, inWorktree, openWorktreeRig } from "./worktree-rig.ts";

const noticed = (session: Conversation, code: string) =>
  session.follower.until<EventOf<"notice">>((event) => event.type === "notice" && event.code === code, {
    what: `a notice ${code}`,
  });

test("a missing worktree that resume makes again has the files of the last checkpoint", async () => {
  await using rig = await openWorktreeRig();
  await using session = await openSession(rig, "demo", { ...inWorktree, name: "fox" });
  const path = rig.treeOf("fox");
  const inTree = (...args: string[]) => git(rig.home, path, ...args);
  await session.turn("write kept.txt two");
  await rm(join(path, "sub"), { recursive: true });
  await session.turn("write draft.txt half");
  await until(() => session.all("turn_changes").length === 2);
  const before = await inTree("status", "--porcelain");
  expect(before).toBe("M kept.txt\n D sub/inner.txt\n?? draft.txt");
  await rm(path, { recursive: true });
  await session.post("resume");
  expect(await inTree("status", "--porcelain")).toBe(before);
  expect(await readFile(join(path, "kept.txt"), "utf8")).toBe("two");
  expect(await readFile(join(path, "draft.txt"), "utf8")).toBe("half");
  expect((await noticed(session, "WORKSPACE_RESTORED")).facts).toEqual({ files: 3 });
  expect(await session.turn("write more.txt 3")).toMatchObject({ ok: true });
});

test("commits that are newer than the last checkpoint are not undone by its files", async () => {
  await using rig = await openWorktreeRig();
  await using session = await openSession(rig, "demo", { ...inWorktree, name: "fox" });
  const path = rig.treeOf("fox");
  await session.turn("write kept.txt two");
  await session.turn("write draft.txt half");
  await until(() => session.all("turn_changes").length === 2);
  await writeFile(join(path, "kept.txt"), "three");
  await git(rig.home, path, "add", "kept.txt");
  // Git counts in seconds.
  const checkpointed = Math.floor(Date.now() / 1000);
  await until(() => Date.now() / 1000 > checkpointed + 1);
  await git(rig.home, path, "commit", "-q", "-m", "by hand");
  await rm(path, { recursive: true });
  await session.post("resume");
  expect(await readFile(join(path, "kept.txt"), "utf8")).toBe("three");
  expect(await readFile(join(path, "draft.txt"), "utf8")).toBe("half");
  expect(await git(rig.home, path, "status", "--porcelain")).toBe("?? draft.txt");
});

test.each(["link", "directory"] as const)(
  "a %s of the last checkpoint does not replace what a newer commit has in its place",
  async (checkpointed) => {
    await using rig = await openWorktreeRig();
    await using session = await openSession(rig, "demo", { ...inWorktree, name: "fox" });
    const path = rig.treeOf("fox");
    const sub = join(path, "sub");
    const link = async () => {
      await rm(sub, { recursive: true });
      await symlink("kept.txt", sub);
    };
    const directory = async (content: string) => {
      await rm(sub, { recursive: true });
      await mkdir(sub);
      await writeFile(join(sub, "inner.txt"), content);
    };
    await writeFile(join(sub, "other.txt"), "other");
    await git(rig.home, path, "add", "-A");
    await git(rig.home, path, "commit", "-q", "-m", "before");
    if (checkpointed === "link") await link();
    else await writeFile(join(sub, "new.txt"), "new");
    await session.turn("write draft.txt half");
    await until(() => session.all("turn_changes").length === 1);
    const second = Math.floor(Date.now() / 1000);
    await until(() => Date.now() / 1000 > second + 1);
    if (checkpointed === "link") {
      await directory("newer");
      await writeFile(join(sub, "other.txt"), "other");
    } else await link();
    await git(rig.home, path, "add", "sub");
    await git(rig.home, path, "commit", "-q", "-m", "by hand");
    await rm(path, { recursive: true });
    await session.post("resume");
    expect(await git(rig.home, path, "status", "--porcelain")).toBe("?? draft.txt");
    if (checkpointed === "link") expect(await readFile(join(sub, "inner.txt"), "utf8")).toBe("newer");
    else expect(await readlink(sub)).toBe("kept.txt");
  },
);

test("a session in a directory where another one is in a turn says so, and advises a worktree", async () => {
  await using rig = await openWorktreeRig();
  await using idle = await openSession(rig, "demo", { permissionMode: "never" });
  await idle.turn("write kept.txt two");
  await using first = await openSession(rig, "demo", { name: "fox" });
  await asked(first, "run true");
  await using below = await openSession(rig, "demo", { cwd: join(rig.work, "sub") });
  await asked(below, "run true");
  await using second = await openSession(rig, "demo");
  await using apart = await openSession(rig, "demo", inWorktree);
  const notice = await noticed(second, "SHARED_DIRECTORY");
  expect(notice).toMatchObject({ seq: 1, facts: { sessions: [{ id: first.id, name: "fox" }] } });
  expect(notice.message).toContain("worktree");
  for (const session of [first, apart, below]) {
    await session.send("hello");
    await session.follower.until((event) => event.type === "message" || event.type === "queue_update");
    expect(session.all("notice").map(({ code }) => code)).not.toContain("SHARED_DIRECTORY");
  }
});
