// The server is killed at each of its commits, and at each of its git commands, in the life of one worker.
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Session } from "@drover/core";
import { expect, test } from "vitest";
import { isSoak } from "../kit/soak.ts";
import { until } from "../kit/until.ts";
import { atEveryCommand, deadlyCommits, deadlyGit } from "./deadly-git.ts";
import { processesOfSession } from "./support.ts";
import { quick, Worker } from "./worker-rig.ts";
import { openWorktreeRig, type WorktreeRig } from "./worktree-rig.ts";

const config = { workers: { ...quick.workers, atOnce: 1 }, git: { timeout: "60s" } };

/** It is killed once, asks, and is done once it is answered. */
const task = `run test -e "$HOME/tried" || { touch "$HOME/tried"; kill -9 $PPID; }
write one.txt one
signal questions Which? | A | B`;
const answers = { q1: "A\nwrite two.txt two\nsignal done in the end" };

/** Asks for what is still missing until the worker is done, however often it has asked before. */
async function play({ client, work }: WorktreeRig, key: string): Promise<void> {
  const body = { agent: "demo", cwd: work, prompt: task, permissionMode: "never" };
  const headers = { "Idempotency-Key": key };
  await until(async () => (await client.ask("POST", "/api/workers", { body, headers })).status < 300);
  await until(
    async () => {
      const [session] = await listed(client);
      if (session?.state === "waiting_for_input") {
        await client.ask("POST", `/api/sessions/${session.id}/resume`, { body: { answers } });
      }
      return session?.state === "crashed" || (session?.state === "idle" && session.worker?.result);
    },
    { deadline: 60_000, what: "the worker has ended" },
  );
}

const listed = async (client: WorktreeRig["client"]) =>
  (await client.get<{ sessions: Session[] }>("/api/sessions?kind=worker")).sessions;

async function check(rig: WorktreeRig): Promise<void> {
  const sessions = await listed(rig.client);
  expect(sessions).toHaveLength(1);
  const [session] = sessions;
  if (!session) throw new Error("There is no worker");
  await using worker = new Worker(rig, session);
  await worker.ended(2);
  expect(worker.signals().map(({ status, result }) => [status, result])).toEqual([
    ["questions", undefined],
    ["done", "in the end"],
  ]);
  expect(worker.all("commits").map(({ count }) => count)).toEqual([1, 1]);
  expect(worker.all("done").map(({ reason }) => reason)).toEqual(["waiting_for_input", "end_turn"]);
  expect(worker.all("question_prompt")).toHaveLength(1);
  expect(worker.all("message")).toHaveLength(2);
  expect(await worker.git("log", "--format=%s", "main..HEAD")).toMatch(/^(run test .*(\n|$)){2}$/);
  expect(await worker.git("diff", "--name-only", "main", "HEAD")).toBe("one.txt\ntwo.txt");
  expect(await worker.git("status", "--porcelain")).toBe("");
  expect(await rig.git("fsck", "--no-dangling")).toBe("");
  await until(() => processesOfSession(rig, worker.id).length === 0);
  await rig.client.delete(`${worker.path()}?force=1`);
  expect((await rig.git("worktree", "list")).split("\n")).toHaveLength(1);
  await rm(join(rig.home, "tried"), { force: true });
}

const killed = { commit: () => deadlyCommits(config), "git command": () => deadlyGit(config) } as const;

test.runIf(isSoak).each(Object.entries(killed))(
  "a worker comes to the same end if the server is killed at any %s",
  {
    timeout: 1_200_000,
  },
  async (_, options) => {
    await using rig = await openWorktreeRig(options());
    let round = 0;
    const moments = await atEveryCommand(rig, {
      prepare: async () => {
        round += 1;
      },
      attempt: () => play(rig, `round-${round}`),
      check: async () => {
        await play(rig, `round-${round}`);
        await check(rig);
      },
    });
    expect(moments).toBeGreaterThan(20);
  },
);
