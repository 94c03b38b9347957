// The server is killed at its own commits while workers run: they end as they would have without that.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Session } from "@drover/core";
import { expect, test } from "vitest";
import { usually } from "../kit/soak.ts";
import { until } from "../kit/until.ts";
import { deadlyCommits } from "./deadly-git.ts";
import { demoProgram, processesOfSession, seeded, teed } from "./support.ts";
import { quick, spawn, type Worker } from "./worker-rig.ts";
import { openWorktreeRig, type WorktreeRig } from "./worktree-rig.ts";

interface Expected {
  readonly task: string;
  readonly state: "idle" | "crashed";
  readonly signals: readonly string[];
  /** What it adds to the repository. */
  readonly files: Readonly<Record<string, string>>;
  /** How many of its runs leave a commit. */
  readonly commits: number;
}

/** Nothing is done before the server is about to be killed. */
const untilGo = 'run until [ -e "$HOME/go" ]; do sleep 0.05; done';

/** What each worker does, and what must come of it. Every command leaves a line outside of the worktrees. */
const workers: Readonly<Record<string, Expected>> = {
  ant: {
    task: "slow 5\nsay hello\nstream 20\nsignal done said",
    ...{ state: "idle", signals: ["done said"], files: {}, commits: 0 },
  },
  bee: {
    task: 'run echo bee >> "$HOME/ran"\nrun echo bee > bee.txt\nsignal done ran',
    ...{ state: "idle", signals: ["done ran"], files: { "bee.txt": "bee" }, commits: 1 },
  },
  cat: {
    task: "write cat.txt one\nwrite more/cat.txt two\nsignal done wrote",
    ...{ state: "idle", signals: ["done wrote"], commits: 1 },
    files: { "cat.txt": "one", "more/cat.txt": "two" },
  },
  dog: {
    task: "write dog.txt one\nsignal questions Which? | A | B",
    ...{ state: "idle", signals: ["questions", "done answered"], commits: 2 },
    files: { "answer.txt": "A", "dog.txt": "one" },
  },
  elk: {
    task: "write elk.txt half\nsignal error It cannot be done.",
    ...{ state: "crashed", signals: ["error It cannot be done."], files: { "elk.txt": "half" }, commits: 1 },
  },
  fox: {
    task: 'run test -e "$HOME/tried" || { touch "$HOME/tried"; kill -9 $PPID; }\nwrite fox.txt one\nsignal done at last',
    ...{ state: "idle", signals: ["done at last"], files: { "fox.txt": "one" }, commits: 1 },
  },
  gnu: { task: "write gnu.txt one", state: "crashed", signals: [], files: { "gnu.txt": "one" }, commits: 1 },
};
const answers = { q1: "A\nwrite answer.txt A\nsignal done answered" };

/** Every agent keeps a copy of what it writes, under the id of its session. */
const copyOf = (home: string, session: string) => join(home, "copies", session);

const open = () =>
  openWorktreeRig(async (home) => {
    await mkdir(join(home, "copies"));
    const agents = { kit: teed(copyOf(home, "%s"), demoProgram) };
    return { ...deadlyCommits({ workers: { ...quick.workers, atOnce: 3 } }), agents };
  });

/** Answers the questions when they are asked; resolves when every worker has ended. */
async function play({ client }: WorktreeRig): Promise<void> {
  const areOver = async () => {
    const { sessions } = await client.get<{ sessions: Session[] }>("/api/sessions?kind=worker");
    const asks = sessions.find(({ state }) => state === "waiting_for_input");
    // Repeated if the server dies before it has answered.
    if (asks) await client.ask("POST", `/api/sessions/${asks.id}/resume`, { body: { answers } });
    return sessions.every(
      ({ state, name, worker }) =>
        state === workers[name]?.state && (name !== "dog" || worker?.signal?.status === "done"),
    );
  };
  await until(areOver, { deadline: 120_000, what: "all workers have ended" });
}

/** Kills the server at seeded commits; returns how often. */
async function killOften(
  rig: WorktreeRig,
  { seed, kills }: { seed: number; kills: number },
): Promise<number> {
  const random = seeded(seed);
  const fault = join(rig.home, "fault");
  for (let killed = 0; killed < kills; killed += 1) {
    const side = random() < 0.5 ? "before" : "after";
    await writeFile(fault, `${side} +${1 + Math.floor(random() * 12)}`);
    await writeFile(join(rig.home, "go"), "");
    const died = rig.server.exited.then(() => true);
    const isKilled = await Promise.race([
      died,
      play(rig).then(
        () => false,
        () => died,
      ),
    ]);
    await writeFile(fault, "");
    if (!isKilled) return killed;
    await rig.start();
  }
  return kills;
}

/** What a worker has come to. */
async function endOf(worker: Worker): Promise<Omit<Expected, "task">> {
  const added = (await worker.git("diff", "--name-only", "main", "HEAD")).split("\n").filter(Boolean);
  const contents = added.map(async (path) => [path, await worker.git("show", `HEAD:${path}`)]);
  const { state } = await worker.get();
  return {
    state: state as Expected["state"],
    signals: worker
      .signals()
      .map(({ status, result, error }) => [status, result ?? error].flatMap((one) => one ?? []).join(" ")),
    files: Object.fromEntries(await Promise.all(contents)),
    commits: (await worker.git("log", "--format=%s", "main..HEAD")).split("\n").filter(Boolean).length,
  };
}

const streamed = Array.from({ length: 20 }, (_, at) => `word${at + 1}`).join(" ");

async function check(rig: WorktreeRig, worker: Worker): Promise<void> {
  const { name } = worker;
  const { task: _, ...expected } = workers[name] as Expected;
  const turns = Math.max(1, expected.signals.length);
  await worker.ended(turns);
  expect(await endOf(worker), name).toEqual(expected);
  expect(worker.all("done"), name).toHaveLength(turns);
  expect(
    worker.all("commits").map(({ count }) => count),
    name,
  ).toEqual(Array(expected.commits).fill(1));
  expect(worker.all("question_prompt"), name).toHaveLength(name === "dog" ? 1 : 0);
  expect(await worker.git("status", "--porcelain"), name).toBe("");
  const { body } = await rig.client.ask("GET", worker.path("/log"));
  expect(body, `the raw log of ${name}`).toBe(await readFile(copyOf(rig.home, worker.id), "utf8"));
  await until(() => processesOfSession(rig, worker.id).length === 0);
  // The line that is streamed when the server dies.
  if (name === "ant") expect((await worker.get()).worker?.lastLine).toBe(streamed);
  if (name !== "bee") return;
  // A prompt that may not have arrived is sent again, and Drover says so.
  const tries = 1 + worker.codes().filter((code) => code === "RETRY").length;
  const ran = (await readFile(join(rig.home, "ran"), "utf8")).trim().split("\n");
  expect(ran.length).toBeLessThanOrEqual(tries);
}

const seeds = usually([7], { inSoak: [7, 8, 9, 10, 11, 12, 13, 14] });
const kills = usually(2, { inSoak: 10 });

test.each(seeds)(
  "workers end as they would have, however often the server is killed at its commits (seed %i)",
  {
    timeout: 600_000,
  },
  async (seed) => {
    await using rig = await open();
    await using all = new AsyncDisposableStack();
    const spawned: Worker[] = [];
    for (const [name, { task }] of Object.entries(workers))
      spawned.push(
        all.use(await spawn(rig, `${untilGo}\n${task}`, { agent: "kit", name, permissionMode: "never" })),
      );
    expect(await killOften(rig, { seed, kills })).toBe(kills);
    await play(rig);
    for (const worker of spawned) await check(rig, worker);
  },
);
