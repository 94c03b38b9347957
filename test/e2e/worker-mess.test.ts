// Whatever a worker leaves in place of its files, it gets a clear explanation, its work is kept, and it can continue.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { usually } from "../kit/soak.ts";
import { sharedRig } from "./shared-rig.ts";
import { kitAgent } from "./support.ts";
import { quick, spawn } from "./worker-rig.ts";
import { worktreesOn } from "./worktree-rig.ts";

const shared = sharedRig({
  agents: { steps: { ...kitAgent("text-steps.mjs"), driver: "text" } },
  config: { workers: { ...quick.workers, signalTries: 1 } },
});

const signal = ".drover/output/signal.json";
const done = (result: string) => `echo '{"status":"done","result":"${result}"}'`;
const removeFolder = "chmod -R u+w .drover && rm -r .drover";

/** What it does, and what the reminder says. */
const messes: Readonly<Record<string, { script: string; words: string }>> = {
  "a signal that a limit cuts off": {
    script: `(ulimit -f 1; yes '{"status":"done",' > ${signal}); true`,
    words: `${signal} is not valid JSON`,
  },
  "no folder for its output": { script: removeFolder, words: `There is no ${signal}` },
  "a file in place of the folder": {
    script: `${removeFolder} && echo mine > .drover`,
    words: `There is no ${signal}`,
  },
  "a link in place of the folder": {
    script: `${removeFolder} && mkdir -p "$HOME/own/output" && ${done("x")} > "$HOME/own/output/signal.json" && ln -s "$HOME/own" .drover`,
    words: `${signal} is behind a link`,
  },
};

/** The others are tested without an agent (packages/server/test/workspace/worker-signal.test.ts). */
const common = ["a file in place of the folder", "a link in place of the folder"];
const tried = usually(common, { inSoak: Object.keys(messes) });

test.each(tried)("a worker that leaves %s learns what is wrong, and continues", async (mess) => {
  const { script = "", words } = messes[mess] ?? {};
  await using rig = await worktreesOn(shared);
  await using worker = await spawn(rig, `run echo work > new.txt\nrun ${script}`, { agent: "steps" });
  expect(await worker.ended()).toMatchObject({ error: { code: "SIGNAL_MISSING" } });
  const reminder = worker.all("notice").find(({ code }) => code === "INSTRUCTED");
  expect(reminder?.message).toContain(words);
  expect(await worker.git("diff", "--name-only", "main", "HEAD")).toBe("new.txt");
  await worker.send(`run ${done("at last")} > ${signal}`);
  expect(await worker.ended(2)).toMatchObject({ ok: true });
  expect(await worker.git("status", "--porcelain")).toBe("");
});

test("a worker that leaves 10,000 files is done, and its next run finds none of them", async () => {
  await using rig = await worktreesOn(shared);
  const files = "cd .drover/output && seq 10000 | xargs touch";
  const task = `run ${files}\nrun echo It works. > .drover/output/SUMMARY.md\nrun ${done("many")} > ${signal}`;
  await using worker = await spawn(rig, task, { agent: "steps" });
  expect(await worker.ended()).toMatchObject({ ok: true });
  expect(worker.signals()).toMatchObject([{ result: "many", summary: "It works." }]);
  expect(await worker.git("diff", "--name-only", "main", "HEAD")).toBe("");
  await worker.send(`run ls .drover/output > listed.txt\nrun ${done("none")} > ${signal}`);
  expect(await worker.ended(2)).toMatchObject({ ok: true });
  expect(await readFile(join(worker.tree, "listed.txt"), "utf8")).toBe("");
});
