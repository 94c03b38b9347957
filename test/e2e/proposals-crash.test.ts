// The server is killed at its commits, and at its git commands, while a worker that only reads is at work.
import type { Proposal, Session } from "@drover/core";
import { expect, test } from "vitest";
import { usually } from "../kit/soak.ts";
import { until } from "../kit/until.ts";
import { atEveryCommand, deadlyCommits, deadlyGit } from "./deadly-git.ts";
import { kitAgent, type RigOptions } from "./support.ts";
import { quick, Worker } from "./worker-rig.ts";
import { openWorktreeRig, type WorktreeRig } from "./worktree-rig.ts";

const config = { workers: { ...quick.workers, atOnce: 1 }, git: { timeout: "60s" } };

/** A new file and a changed one, which must not stay, and two proposals, of which one counts. */
const prompt = `echo x > new.txt; echo two > kept.txt
mkdir -p .drover/output/phases && cd .drover/output
echo '# One' > phases/a.md; echo '# one' > phases/b.md
echo '{"status":"done"}' > signal.json`;

/** Starts the worker once, however often it is asked to, and waits until it has ended. */
async function play({ client, work }: WorktreeRig, key: string): Promise<void> {
  const body = { agent: "unasked", cwd: work, prompt, mode: "plan" };
  const headers = { "Idempotency-Key": key };
  await until(async () => (await client.ask("POST", "/api/workers", { body, headers })).status < 300);
  const hasEnded = async () => (await listed(client)).every(({ lastTurn }) => lastTurn);
  await until(hasEnded, { deadline: 60_000, what: "the worker has ended" });
}

const listed = async (client: WorktreeRig["client"]) =>
  (await client.get<{ sessions: Session[] }>("/api/sessions?kind=worker")).sessions;

async function check(rig: WorktreeRig): Promise<void> {
  const [session, ...more] = await listed(rig.client);
  if (!session || more.length > 0) throw new Error("There is not one worker");
  await using worker = new Worker(rig, session);
  await worker.ended();
  expect(worker.signals()).toHaveLength(1);
  expect(worker.all("proposals_created")).toMatchObject([{ open: 1, superseded: 1, invalid: 0 }]);
  const { proposals } = await rig.client.get<{ proposals: Proposal[] }>(worker.path("/proposals"));
  expect(proposals.map(({ title, state }) => `${title} ${state}`)).toEqual(["One superseded", "one open"]);
  expect(await worker.git("status", "--porcelain")).toBe("");
  expect(worker.all("commits")).toEqual([]);
  await rig.client.delete(`${worker.path()}?force=1`);
}

const killed: readonly [what: string, options: (home: string) => Promise<RigOptions>][] = [
  ["commit", async () => deadlyCommits(config)],
  ["git command", deadlyGit(config)],
];

test.each(killed.slice(0, usually(1, { inSoak: 2 })))(
  "a server that is killed at any %s neither loses nor repeats proposals, and puts files back",
  { timeout: 1_200_000 },
  async (_, options) => {
    await using rig = await openWorktreeRig(async (home) => ({
      ...(await options(home)),
      agents: { unasked: kitAgent("runs-commands.mjs") },
    }));
    let round = 0;
    await atEveryCommand(rig, {
      prepare: async () => {
        round += 1;
      },
      attempt: () => play(rig, `round-${round}`),
      check: async () => {
        await play(rig, `round-${round}`);
        await check(rig);
      },
    });
  },
);
