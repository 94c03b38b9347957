// What counts as a worker's signal, and what happens without one.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { until } from "../kit/until.ts";
import { sharedRig } from "./shared-rig.ts";
import { kitAgent, processesOfSession } from "./support.ts";
import { ofEvent, ofSession, watchFeed } from "./watch-feed.ts";
import { quick, spawn, type Worker } from "./worker-rig.ts";
import { worktreesOn } from "./worktree-rig.ts";

const shared = sharedRig({
  agents: {
    steps: { ...kitAgent("text-steps.mjs"), driver: "text" },
    lingers: { ...kitAgent("jsonl-lingers.mjs"), driver: "jsonl" },
  },
  config: { workers: { ...quick.workers, signalTries: 2, doneGrace: "2s" } },
});

const steps = { agent: "steps" };
const signal = ".drover/output/signal.json";

const instructions = (worker: Worker) => worker.all("notice").filter(({ code }) => code === "INSTRUCTED");

test("G2 a signal that was there before a run is moved away and not read", async () => {
  await using rig = await worktreesOn(shared);
  await mkdir(join(rig.work, ".drover/output"), { recursive: true });
  await writeFile(join(rig.work, signal), '{"status":"done","result":"committed by mistake"}');
  await rig.git("add", "-f", ".drover");
  await rig.git("commit", "-q", "-m", "stale");
  await using worker = await spawn(rig, "say hello\nsignal done first");
  await worker.ended();
  expect(worker.signals().map(({ result }) => result)).toEqual(["first"]);
  await worker.send("say hello again");
  expect(await worker.ended(2)).toMatchObject({ error: { code: "SIGNAL_MISSING" } });
  const archived = join(rig.home, ".drover/sessions", worker.id, "output/2/signal.json");
  expect(JSON.parse(await readFile(archived, "utf8"))).toEqual({ status: "done", result: "first" });
  // Nothing of Drover's own is committed or removed.
  expect(await worker.git("diff", "--stat", "main", `drover/${worker.name}`)).toBe("");
});

test("G3 work after the signal is kept: it is acted upon when the turn ends", async () => {
  await using rig = await worktreesOn(shared);
  await using worker = await spawn(rig, "signal done early\nsay still here\nwrite later.txt two");
  await worker.ended();
  expect(await worker.git("show", "--stat", "--format=")).toContain("later.txt");
  const { events } = worker.follower;
  const said = events.findLast(({ type }) => type === "tool_result")?.seq ?? 0;
  expect(worker.all("signal")[0]?.seq).toBeGreaterThan(said);
});

test("G4 a signal that is half written at the end of the turn is read again", async () => {
  await using rig = await worktreesOn(shared);
  const half = `run printf '{"status":' > ${signal}`;
  const rest = `run (sleep 0.3; printf '{"status":"done","result":"whole"}' > ${signal}) >/dev/null 2>&1 &`;
  await using worker = await spawn(rig, `${half}\n${rest}`, { permissionMode: "never" });
  expect(await worker.ended()).toMatchObject({ ok: true });
  expect(worker.signals()).toMatchObject([{ result: "whole", tries: 1 }]);
});

test("G5 a worker without a signal is reminded in the same turn, and fails after the last try", async () => {
  await using rig = await worktreesOn(shared);
  await using worker = await spawn(rig, "run echo work > new.txt", steps);
  const done = await worker.ended();
  expect(done).toMatchObject({ ok: false, reason: "error", error: { code: "SIGNAL_MISSING" } });
  expect(instructions(worker).map(({ facts }) => facts["try"])).toEqual([1, 2]);
  const [first] = instructions(worker);
  expect(first?.message).toContain("`.drover/output/signal.json`");
  expect(first?.turnId).toBe(done.turnId);
  expect(worker.all("turn_start")).toHaveLength(1);
  expect((await worker.get()).run).toBe(3);
  // Its work is committed all the same.
  expect(await worker.git("show", "--stat", "--format=")).toContain("new.txt");
});

test("G5 a worker that cannot write signals with a fenced block in what it says", async () => {
  await using rig = await worktreesOn(shared);
  const fenced = (result: string) =>
    `say \`\`\`drover-signal\nsay {"status":"done","result":"${result}"}\nsay \`\`\``;
  await using worker = await spawn(rig, `${fenced("first")}\n${fenced("last")}`, steps);
  expect(await worker.ended()).toMatchObject({ ok: true });
  expect(worker.signals()).toMatchObject([{ status: "done", result: "last", tries: 1 }]);
  // The file wins.
  await worker.send(`${fenced("said")}\nrun echo '{"status":"done","result":"written"}' > ${signal}`);
  await worker.ended(2);
  expect(worker.signals()).toMatchObject([{ result: "last" }, { result: "written" }]);
});

test("G6 a signal in the wrong directory is not used, and the reminder says where it is", async () => {
  await using rig = await worktreesOn(shared);
  const wrong = `run mkdir -p output && echo '{"status":"done"}' > output/signal.json`;
  await using worker = await spawn(rig, wrong, steps);
  const done = await worker.ended();
  expect(done.error?.code).toBe("SIGNAL_MISSING");
  expect(worker.signals()).toEqual([]);
  expect(instructions(worker)[0]?.message).toContain("There is a signal at output/signal.json");
  expect(done.error?.message).toContain("There is a signal at output/signal.json");
});

test("G7 a signal outranks the exit code, and without one the exit code counts", async () => {
  await using rig = await worktreesOn(shared);
  await using worker = await spawn(rig, `run echo '{"status":"done"}' > ${signal}\nexit 3`, steps);
  expect(await worker.ended()).toMatchObject({ ok: true, reason: "end_turn" });
  await worker.send("exit 3");
  expect(await worker.ended(2)).toMatchObject({ ok: false });
  expect(worker.all("done")[1]?.error?.code).not.toBe("SIGNAL_MISSING");
  expect(instructions(worker)).toEqual([]);
});

test("a worker that was killed gets its prompt again, and everyone learns why its processes ended", async () => {
  await using rig = await worktreesOn(shared);
  await using feed = await watchFeed(rig);
  const asks = `echo '{"status":"questions","questions":[{"question":"Which?"}]}' > ${signal}`;
  await using worker = await spawn(
    rig,
    `run test -e tried && ${asks} || (touch tried; kill -9 $PPID)`,
    steps,
  );
  expect(await worker.ended()).toMatchObject({ ok: true, reason: "waiting_for_input" });
  expect(worker.all("notice").find(({ code }) => code === "RETRY")?.facts).toMatchObject({
    ...{ attempt: 2, try: 1, class: "AGENT_CRASHED" },
  });
  expect(worker.signals()).toMatchObject([{ run: 2, status: "questions", tries: 2 }]);
  await worker.post("resume", { answers: { q1: `the first\nrun echo '{"status":"done"}' > ${signal}` } });
  await worker.ended(2);
  const own = () => ofSession(feed.entries, worker.id);
  await until(() => ofEvent(own(), "agent:stopped").length === 3);
  expect(ofEvent(own(), "agent:stopped").map(({ reason }) => reason)).toEqual([
    ...["crashed", "waiting_for_input", "task_complete"],
  ]);
  expect(ofEvent(own(), "agent:spawned").map(({ run }) => run)).toEqual([1, 2, 3]);
  expect(ofEvent(own(), "agent:waiting")).toMatchObject([{ questions: [{ id: "q1", question: "Which?" }] }]);
});

test("X12 a worker that stays after its turn is ended, counts as done, and what it did meanwhile is kept", async () => {
  await using rig = await worktreesOn(shared);
  await using worker = await spawn(rig, "anything", { agent: "lingers" });
  expect(await worker.ended()).toMatchObject({ ok: true });
  expect(worker.signals()).toMatchObject([{ result: "early" }]);
  expect(await worker.git("show", "--stat", "--format=")).toContain("late.txt");
  expect(processesOfSession(rig, worker.id)).toEqual([]);
});
