// An agent as a worker: it works, asks, is resumed with the answers, reports that it is done, is reviewed and merged.
import assert from "node:assert/strict";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { EventOf, Merged, Reviewed, Session } from "@drover/core";
import { gitIn, repositoryAt } from "../e2e/repository.ts";
import { Conversation } from "../e2e/support.ts";
import { until } from "../kit/until.ts";
import { patience, type Scene } from "./stage.ts";

/** Known before it is spawned: some agents write only to absolute paths. */
const name = "otter";
const treeIn = ({ cwd }: Scene) => join(cwd, "repository", ".drover-worktrees", name);

/** What makes the agent write a file in its worktree. */
const writes = (scene: Scene, path: string, text: string) => ({
  write: { path: join(treeIn(scene), path), text },
});
const signals = (scene: Scene, signal: object) =>
  writes(scene, ".drover/output/signal.json", JSON.stringify(signal));

class Worker extends Conversation {
  /** Its nth turn ends as it reported. */
  async endsWell(n: number, reason: string): Promise<void> {
    const done = await this.follower.until<EventOf<"done">>(
      (event) => event.type === "done" && this.all("done").indexOf(event) === n - 1,
      { ...patience, what: `turn ${n} of the worker ends` },
    );
    assert.deepEqual([done.ok, done.reason], [true, reason], JSON.stringify(done));
  }
}

/** A worker in a new repository. */
async function spawn({ rig, subject, cwd }: Scene, prompt: string, fields: object = {}): Promise<Worker> {
  const repository = join(cwd, "repository");
  await mkdir(repository);
  await repositoryAt(repository);
  const wanted = { agent: subject.name, cwd: repository, name, prompt, ...fields };
  const { id } = await rig.client.post<Session>("/api/workers", wanted);
  return new Worker(rig, id);
}

/** A person accepts the work and merges it. */
async function merge(worker: Worker): Promise<string> {
  await until(async () => (await worker.get()).review?.state === "open", patience);
  const { review } = await worker.post<Reviewed>("review", { do: "accept" });
  assert.equal(review.state, "accepted");
  return (await worker.post<Merged>("merge")).commit ?? "";
}

/** Asks two questions, goes on with the answers in the same directory and conversation, and is merged. */
export async function askAndFinish(scene: Scene): Promise<void> {
  const repository = gitIn(join(scene.cwd, "repository"));
  const questions = [
    { id: "size", question: "Which size?", options: ["small", "large"] },
    { id: "colour", question: "Which colour?" },
  ];
  const task = scene.prompt(
    { say: "I begin.", ...writes(scene, "one.txt", "one") },
    signals(scene, { status: "questions", questions }),
    { say: "I have asked." },
  );
  await using worker = await spawn(scene, task);
  await worker.endsWell(1, "waiting_for_input");
  const before = await worker.get();
  const [asked] = await worker.openInteractions();
  assert.deepEqual(
    [asked?.toolCallId, asked?.questions?.map(({ id }) => id)],
    ["signal:1", ["size", "colour"]],
  );
  assert.equal(before.connection.pid, undefined, "its process has ended");
  const rest = scene.prompt(
    { say: "I go on.", ...writes(scene, "two.txt", "two") },
    signals(scene, { status: "done", result: { size: "large" } }),
    { say: "It is done." },
  );
  await worker.post("resume", { answers: { size: "large", colour: `red\n${rest}` } });
  await worker.endsWell(2, "end_turn");
  const after = await worker.get();
  assert.deepEqual([before.run, after.run], [1, 2]);
  assert.equal(after.agentSessionId, before.agentSessionId);
  assert.deepEqual(after.worker?.result, { size: "large" });
  assert.deepEqual(worker.all("approval_required"), []);
  assert.deepEqual(
    worker.all("notice").map(({ code }) => code),
    [],
  );
  const heard = JSON.stringify(scene.conversationAt("It is done."));
  for (const words of ["I begin.", "Which size?", "large"]) assert.ok(heard.includes(words), words);
  assert.equal(await merge(worker), await repository("rev-parse", "main"));
  assert.equal(await repository("ls-tree", "--name-only", "main"), "kept.txt\none.txt\ntwo.txt");
  assert.equal(
    await readFile(join(scene.cwd, "repository", "two.txt"), "utf8").then((text) => text.trim()),
    "two",
  );
  await scene.rig.client.delete(`${worker.path()}?force=1`);
}

/** In a mode that lets it write nothing, it reports in what it says. */
export async function reportInWords(scene: Scene): Promise<void> {
  const signal = JSON.stringify({ status: "done", result: "I read it." });
  const say = `I may not write.\n\n\`\`\`drover-signal\n${signal}\n\`\`\``;
  const task = scene.prompt({ run: "echo x > notes" }, { say });
  await using worker = await spawn(scene, task, { permissionMode: "plan" });
  await worker.endsWell(1, "end_turn");
  assert.deepEqual((await worker.get()).worker?.result, "I read it.");
  assert.deepEqual([worker.all("commits"), worker.all("notice")], [[], []]);
  await scene.rig.client.delete(`${worker.path()}?force=1`);
}
