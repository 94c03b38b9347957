// A worker gets a task, and reports how its work went.
import { join } from "node:path";
import { expect, test } from "vitest";
import { until } from "../kit/until.ts";
import { inside, insideAgents, isRefused, openShell } from "./inside.ts";
import { sharedRig } from "./shared-rig.ts";
import { readJson } from "./support.ts";
import { quick, spawn, type Worker } from "./worker-rig.ts";
import { worktreesOn } from "./worktree-rig.ts";

const shared = sharedRig({ agents: insideAgents, config: quick });

const types = (worker: Worker) => worker.follower.events.map(({ type }) => type);

test("G1 a worker that is done reports its result, and Drover commits its work", async () => {
  await using rig = await worktreesOn(shared);
  const prompt = "write new.txt one\nwrite .drover/output/SUMMARY.md It works.\nsignal done all is well";
  await using worker = await spawn(rig, prompt, { name: "fox" });
  const done = await worker.ended();
  expect(done).toMatchObject({ ok: true, reason: "end_turn" });
  expect(worker.signals()).toEqual([
    { run: 1, status: "done", result: "all is well", tries: 1, summary: "It works." },
  ]);
  const [commits] = worker.all("commits");
  expect(commits).toMatchObject({ count: 1, byDrover: true });
  await worker.follower.until((event) => event.type === "session_status" && event.seq > done.seq);
  const order = types(worker).filter((type) => ["signal", "commits", "done"].includes(type));
  expect(order).toEqual(["signal", "commits", "done"]);

  const session = await worker.get();
  expect(session).toMatchObject({ kind: "worker", state: "idle", title: "write new.txt one", run: 1 });
  expect(session).toMatchObject({ permissionMode: "acceptEdits", workspace: { branch: "drover/fox" } });
  expect(session.worker).toMatchObject({
    mode: "execute",
    tries: 1,
    result: "all is well",
    summary: "It works.",
  });
  // Its process ends with its turn.
  expect(session.connection.pid).toBeUndefined();

  expect(await worker.git("status", "--porcelain")).toBe("");
  const [author, ...message] = (await worker.git("log", "-1", "--format=%an <%ae>%n%B")).split("\n");
  expect(author).toBe("Drover <drover@localhost>");
  expect(message).toEqual([
    ...["write new.txt one", ""],
    ...[`Drover-Session: ${worker.id}`, "Drover-Run: 1"],
  ]);
  expect(await worker.git("show", "--stat", "--format=")).not.toContain(".drover");
  await until(async () => (await worker.get()).review?.state === "open");
  expect((await worker.get()).worker?.changes).toEqual({ commits: 1, files: 1, added: 1, removed: 0 });

  const manifest = await readJson(join(worker.tree, ".drover/input/manifest.json"));
  expect(manifest).toEqual({
    ...{ version: 1, sessionId: worker.id, name: "fox", mode: "execute", run: 1, files: [] },
    ...{ contextFiles: [], signal: ".drover/output/signal.json" },
  });
});

test("G1 a worker that reports an error has failed, and its work is kept", async () => {
  await using rig = await worktreesOn(shared);
  await using worker = await spawn(rig, "write new.txt half\nsignal error the API is gone");
  expect(await worker.ended()).toMatchObject({ ok: false, reason: "error", error: { code: "SIGNAL_ERROR" } });
  await until(async () => (await worker.get()).state === "crashed");
  const session = await worker.get();
  expect(session.reason).toMatchObject({ code: "SIGNAL_ERROR" });
  expect(session.worker?.signal).toEqual({ run: 1, status: "error", error: "the API is gone" });
  expect(await worker.git("status", "--porcelain")).toBe("");
  // A message continues it.
  await worker.turn("signal done after all");
  await until(async () => (await worker.get()).state === "idle");
  expect((await worker.get()).worker?.result).toBe("after all");
});

test("G1 G8 a worker that asks waits for a person, and continues with the answers as its next run", async () => {
  await using rig = await worktreesOn(shared);
  const questions = [
    { id: "port", question: "Which port?", options: ["80", { label: "8080", description: "for tests" }] },
    { id: "port", question: "Really?" },
    { question: "say it works", multiSelect: false },
  ];
  const prompt = `write new.txt one\nsignal questions ${JSON.stringify(questions)}`;
  await using worker = await spawn(rig, prompt);
  expect(await worker.ended()).toMatchObject({ ok: true, reason: "waiting_for_input" });
  const conversation = (await worker.get()).agentSessionId;
  expect(await worker.get()).toMatchObject({ state: "waiting_for_input", openInteractions: 1 });
  const [asked] = await worker.openInteractions();
  expect(asked).toMatchObject({ kind: "question", toolCallId: "signal:1", state: "open" });
  expect(asked?.deadline).toBeUndefined();
  expect(asked?.questions?.map(({ id }) => id)).toEqual(["port", "port~2", "q3"]);

  // An agent cannot answer for a person.
  const answers = { port: "8080", "port~2": "yes", q3: "yes\nsignal done with answers" };
  await using shell = await openShell(rig);
  const attempt = { method: "POST", path: worker.path("/resume"), body: { answers } };
  expect((await inside(rig, shell, [attempt])).map(isRefused)).toEqual([true]);

  // A message does not overtake the answers.
  const receipt = await worker.send("signal done second");
  expect(receipt).toMatchObject({ applied: "queued" });
  const both = await Promise.all([
    rig.client.ask("POST", worker.path("/resume"), { body: { answers } }),
    rig.client.ask("POST", worker.path("/submit-answers"), { body: { toolCallId: "signal:1", answers } }),
  ]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  await worker.ended(3);
  const turns = worker.all("message").map(({ content }) => content);
  expect(turns).toHaveLength(3);
  expect(turns[1]).toContain("Question: Which port?\nAnswer: 8080");
  expect(worker.signals().map(({ run, result }) => [run, result])).toEqual([
    [1, undefined],
    [2, "with answers"],
    [3, "second"],
  ]);
  expect((await worker.get()).agentSessionId).toBe(conversation);
});
