// The server is killed at every git command it runs while it creates, removes or restores a worktree.
import { existsSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Session } from "@drover/core";
import { expect, test } from "vitest";
import { until } from "../kit/until.ts";
import { atEveryCommand, deadlyGit } from "./deadly-git.ts";
import { openSession } from "./support.ts";
import { git, inWorktree, openWorktreeRig, type WorktreeRig } from "./worktree-rig.ts";

const openDeadly = () => openWorktreeRig(deadlyGit());

const sessionsOf = async (rig: WorktreeRig) =>
  (await rig.client.get<{ sessions: Session[] }>("/api/sessions")).sessions;

test("kill -9 at any command while a worktree is created leaves all of it or nothing", {
  timeout: 240_000,
}, async () => {
  await using rig = await openDeadly();
  const body = { agent: "demo", cwd: rig.work, ...inWorktree, name: "fox" };
  const commands = await atEveryCommand(rig, {
    attempt: () => rig.client.post("/api/sessions", body),
    check: async () => {
      const [session] = await sessionsOf(rig);
      if (session) {
        expect(await git(rig.home, rig.treeOf("fox"), "status", "--porcelain")).toBe("");
        await rig.client.delete(`/api/sessions/${session.id}`);
      }
      await until(async () => (await rig.traces()).length === 0, { what: "nothing is left" });
    },
  });
  expect(commands).toBeGreaterThan(5);
});

test("kill -9 at any command while a worktree is removed loses no work and leaves nothing half removed", {
  timeout: 240_000,
}, async () => {
  await using rig = await openDeadly();
  let id = "";
  const commands = await atEveryCommand(rig, {
    prepare: async () => {
      ({ id } = await rig.client.post<Session>("/api/sessions", {
        ...{ agent: "demo", cwd: rig.work, ...inWorktree, name: "fox" },
      }));
      await writeFile(join(rig.treeOf("fox"), "draft.txt"), "precious");
    },
    attempt: () => rig.client.delete(`/api/sessions/${id}?force=1`),
    check: async () => {
      const [session] = await sessionsOf(rig);
      if (session) {
        expect(await readFile(join(rig.treeOf("fox"), "draft.txt"), "utf8")).toBe("precious");
        await rig.client.delete(`/api/sessions/${id}?force=1`);
      }
      const kept = await until(async () => {
        const traces = await rig.traces();
        return traces.every((trace) => trace.startsWith("refs/drover/kept/fox/")) && traces;
      });
      for (const ref of kept) expect(await rig.git("show", `${ref}:draft.txt`)).toBe("precious");
      expect(kept.length).toBeGreaterThan(0);
      for (const ref of kept) await rig.git("update-ref", "-d", ref);
    },
  });
  expect(commands).toBeGreaterThan(5);
});

test("kill -9 at any command while a missing worktree is made again: the next resume brings back every file", {
  timeout: 240_000,
}, async () => {
  await using rig = await openDeadly();
  await using session = await openSession(rig, "demo", { ...inWorktree, name: "fox" });
  await session.turn("write draft.txt precious");
  await session.follower.until((event) => event.type === "turn_changes");
  await session.post("stop");
  await session.follower.until((event) => event.type === "session_status" && event.state === "stopped");
  const draft = join(rig.treeOf("fox"), "draft.txt");
  // Git counts in seconds, and this commit must be newer than the checkpoint.
  const checkpointed = Math.floor(Date.now() / 1000);
  await until(() => Date.now() / 1000 > checkpointed + 1);
  await writeFile(join(rig.treeOf("fox"), "kept.txt"), "newer\n");
  await git(rig.home, rig.treeOf("fox"), "commit", "-q", "-a", "-m", "newer");
  const commands = await atEveryCommand(rig, {
    prepare: () => rm(rig.treeOf("fox"), { recursive: true }),
    attempt: () => session.post("resume"),
    check: async () => {
      await session.post("resume");
      expect(await readFile(draft, "utf8")).toBe("precious");
      expect(existsSync(join(rig.work, ".git", "worktrees", "fox", "index"))).toBe(true);
      expect(await git(rig.home, rig.treeOf("fox"), "status", "--porcelain")).toBe("?? draft.txt");
      expect(await readFile(join(rig.treeOf("fox"), "kept.txt"), "utf8")).toBe("newer\n");
      await session.post("stop");
      await until(async () => (await session.get()).state === "stopped");
    },
  });
  expect(commands).toBeGreaterThan(5);
});

test("kill -9 at any command while kept work is restored: it is under its ref or in the worktree, and can be restored", {
  timeout: 240_000,
}, async () => {
  await using rig = await openDeadly();
  const { id } = await rig.client.post<Session>("/api/sessions", {
    ...{ agent: "demo", cwd: rig.work, ...inWorktree, name: "fox" },
  });
  const path = rig.treeOf("fox");
  const draft = join(path, "draft.txt");
  await writeFile(draft, "precious");
  await writeFile(join(path, "kept.txt"), "staged\n");
  await git(rig.home, path, "add", "kept.txt");
  await rig.client.delete(`/api/sessions/${id}?force=1`);
  const keptRefs = () => rig.git("for-each-ref", "--format=%(refname)", "refs/drover/kept");
  const commands = await atEveryCommand(rig, {
    prepare: async () => {
      if (existsSync(path)) await rig.client.post("/api/workspaces/rm", { path, force: true });
    },
    attempt: () => rig.client.post("/api/workspaces/restore", { ref: "fox" }),
    check: async () => {
      const body = { ref: "fox" };
      // The next server removes what was half made, in the background.
      await until(async () => {
        if ((await keptRefs()) === "") return true;
        if (existsSync(path)) return false;
        return (await rig.client.ask("POST", "/api/workspaces/restore", { body })).status === 200;
      });
      expect(await readFile(draft, "utf8")).toBe("precious");
      expect(await git(rig.home, path, "status", "--porcelain")).toBe("M  kept.txt\n?? draft.txt");
      expect(await keptRefs()).toBe("");
      expect(await rig.git("fsck", "--strict", "--no-dangling")).toBe("");
    },
  });
  expect(commands).toBeGreaterThan(5);
});
