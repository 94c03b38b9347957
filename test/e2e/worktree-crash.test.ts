// The server is killed at every git command it runs while it creates or removes a worktree.
import { existsSync } from "node:fs";
import { chmod, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Session } from "@drover/core";
import { expect, test } from "vitest";
import { isSoak, rounds } from "../kit/soak.ts";
import { until } from "../kit/until.ts";
import { openSession } from "./support.ts";
import { git, inWorktree, openWorktreeRig, type WorktreeRig } from "./worktree-rig.ts";

/** A git that kills its caller before or after the command whose number is in `fault`. */
const deadlyGit = (real: string) => `#!/bin/sh
n=0 fault=
[ -e "$HOME/count" ] && read -r n < "$HOME/count"
n=$((n + 1))
echo $n > "$HOME/count"
[ -e "$HOME/fault" ] && read -r fault < "$HOME/fault"
[ "$fault" = "before $n" ] && kill -9 $PPID && exit 1
${real} "$@"
code=$?
[ "$fault" = "after $n" ] && kill -9 $PPID
exit $code
`;

async function openDeadly(): Promise<WorktreeRig> {
  const rig = await openWorktreeRig((home) => ({
    env: { PATH: `${join(home, "bin")}:${process.env["PATH"]}` },
  }));
  const real = (process.env["PATH"] ?? "")
    .split(":")
    .map((each) => join(each, "git"))
    .find(existsSync);
  await mkdir(join(rig.home, "bin"));
  await writeFile(join(rig.home, "bin", "git"), deadlyGit(real ?? "git"));
  await chmod(join(rig.home, "bin", "git"), 0o755);
  return rig;
}

/** Runs `attempt` with a fault at each command in turn until it succeeds; a new server checks the result each time. */
async function atEveryCommand(
  rig: WorktreeRig,
  steps: { prepare?: () => Promise<void>; attempt: () => Promise<unknown>; check: () => Promise<void> },
): Promise<number> {
  // Before a command, git has done the same as after the previous one: without a soak, every other one has to do.
  for (let n = 1; ; n += rounds(2, 1)) {
    const sides = isSoak ? ["before", "after"] : [n % 4 === 1 ? "after" : "before"];
    for (const side of sides) {
      await writeFile(join(rig.home, "fault"), "");
      await steps.prepare?.();
      await writeFile(join(rig.home, "count"), "0");
      await writeFile(join(rig.home, "fault"), `${side} ${n}`);
      const isThrough = await steps.attempt().then(
        () => true,
        () => false,
      );
      await writeFile(join(rig.home, "fault"), "");
      if (isThrough && Number(await readFile(join(rig.home, "count"), "utf8")) < n) return n - 1;
      if (!isThrough) {
        await rig.server.exited;
        await rig.start();
      }
      await steps.check();
    }
  }
}

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
