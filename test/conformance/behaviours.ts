// What every agent does through Drover, whichever driver it has. What one lacks, its sessions declare.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { type EventOf, maxPromptBytes } from "@drover/core";
import { until } from "../kit/until.ts";
import type { Check } from "./checks.ts";
import { inScene, openStage, patience, type Scene, type Stage } from "./stage.ts";
import { type Subject, subjects } from "./subjects.ts";
import { agentKilled, serverKilled } from "./survival.ts";

export interface Behaviour {
  /** The acceptance cases it shows. */
  ids?: string;
  title: string;
  /** What an agent that lacks it has no way to do. */
  needs?: Subject["lacks"][number];
  play(scene: Scene): Promise<void>;
}

const writing = [{ say: "I write it down.", run: "echo x >> notes" }, { say: "Done." }];
const endless = [{ run: "echo x >> notes; tail -f /dev/null" }, { say: "Never said." }];

const behaviours: readonly Behaviour[] = [
  { title: "its sessions declare what it can do", play: declare },
  { ids: "S11", title: "text is streamed before the one done", play: stream },
  { ids: "A1 A12", title: "an approved command runs once", play: approve },
  {
    ids: "A1 A12",
    title: "a denied command does not run, and what became of the reason is told",
    play: deny,
  },
  { ids: "A15", title: "amended input is what runs, or is refused", play: amend },
  { ids: "S10", title: "two commands at once keep their ids", needs: "runs", play: parallel },
  { ids: "A13", title: "a question reaches a person, and the answer the agent", needs: "ask", play: answer },
  { ids: "A2", title: "an approval that nobody gives expires, and the turn ends", play: expire },
  { title: "an interrupted turn ends, and the session goes on", play: interrupt },
  { ids: "A14", title: "a turn interrupted while it asks takes its request with it", play: interruptAsking },
  { title: "the conversation goes on after its process was ended", play: resume },
  { title: "a failed login is told as one, and the session goes on", needs: "auth", play: failedLogin },
  { title: "a limit is told as one, and the session goes on", play: limited },
  { ids: "P1", title: "a prompt of 768 KB arrives whole", play: longPrompt },
  { ids: "C10", title: "queued messages run in order, each told the state of its own start", play: queue },
  {
    ids: "X8 A5",
    title: "kill -9 of the server while it asks; approved after, it runs once",
    play: (scene) => serverKilled(scene, (server) => server.kill9()),
  },
  {
    ids: "X8",
    title: "TERM of the server while it asks; approved after, it runs once",
    play: (scene) => serverKilled(scene, (server) => server.term()),
  },
  { ids: "L2", title: "kill -9 of the agent ends its turn, and the session goes on", play: agentKilled },
];

/** The checks of one agent, on one server that the first of them starts. */
export interface Group {
  checks: Check[];
  close(): Promise<void>;
}

export function behaviourGroups(installed: string): Group[] {
  return subjects.map((subject) => {
    let stage: Promise<Stage> | undefined;
    const check = ({ ids, title, play }: Behaviour): Check => ({
      title: `${ids ? `${ids} ` : ""}${subject.name}: ${title}`,
      run: async () => {
        stage ??= openStage(subject, installed);
        await inScene(await stage, play);
      },
    });
    const shown = behaviours.filter(({ needs }) => needs === undefined || !subject.lacks.includes(needs));
    return { checks: shown.map(check), close: async () => (await stage)?.[Symbol.asyncDispose]() };
  });
}

async function declare({ session, subject }: Scene): Promise<void> {
  assert.deepEqual((await session.get()).capabilities, subject.capabilities);
}

async function stream(scene: Scene): Promise<void> {
  const words = Array.from({ length: 40 }, (_, index) => `word${index + 1}`).join(" ");
  const done = await scene.turn({ say: words });
  const { events } = scene.session.follower;
  assert.deepEqual([done.reason, done.ok], ["end_turn", true]);
  // Codex begins with a warning about a model it does not know.
  assert.ok(scene.session.follower.text().trim().endsWith(words));
  assert.equal(scene.session.all("done").length, 1);
  const own = events.filter((event) => "turnId" in event && event.turnId === done.turnId);
  assert.equal(own.at(-1)?.type, "done");
  const text = own.find(({ type }) => type === "text_delta" || type === "item");
  assert.ok(text && text.seq < done.seq);
}

async function approve(scene: Scene): Promise<void> {
  const { messageId, interaction } = await scene.askedBy(...writing);
  assert.match(JSON.stringify(interaction.input), /echo x >> notes/);
  assert.equal(interaction.toolKind, "execute");
  assert.equal((await scene.session.get()).state, "waiting_for_input");
  assert.equal(await scene.notes(), undefined);
  await scene.approve(interaction);
  assert.equal((await scene.done(messageId)).reason, "end_turn");
  assert.equal(await scene.notes(), "x\n");
  assert.match(scene.session.follower.text(), /Done\.\s*$/);
  assert.equal(scene.session.all("approval_required").length, 1);
  const resolved = scene.session.all("interaction_resolved");
  assert.deepEqual(
    resolved.map(({ resolution, by }) => [resolution, by]),
    [["approved", "api"]],
  );
  if (scene.hasModel) assert.equal(scene.results("Done.").length, 1);
}

async function deny(scene: Scene): Promise<void> {
  const { messageId, interaction } = await scene.askedBy(...writing);
  const reason = "not on a Friday";
  await scene.session.post("deny", { toolCallId: interaction.toolCallId, reason });
  assert.equal((await scene.done(messageId)).reason, scene.subject.afterDenial);
  assert.equal(await scene.notes(), undefined);
  await toldWhy(scene, { resolution: "denied", reason });
  await scene.isUsable();
}

/** The reason is on record, with whether it reached the agent; where it did, the model was told it next. */
async function toldWhy(scene: Scene, expected: { resolution: string; reason: string }): Promise<void> {
  const { denyReason } = scene.subject.capabilities;
  const [resolved] = scene.session.all("interaction_resolved");
  assert.deepEqual(
    [resolved?.resolution, resolved?.reason, resolved?.reasonDelivered],
    [expected.resolution, expected.reason, denyReason],
  );
  if (denyReason) assert.ok(scene.results("Done.").join().includes(expected.reason));
}

async function amend(scene: Scene): Promise<void> {
  const { messageId, interaction } = await scene.askedBy(...writing);
  const { toolCallId } = interaction;
  const input = { command: "echo amended | tee notes", description: "Amended" };
  const path = scene.session.path("/approve");
  const reply = await scene.rig.client.ask("POST", path, { body: { toolCallId, input } });
  if (scene.subject.capabilities.amend) {
    assert.equal(reply.status, 200);
    assert.equal((await scene.done(messageId)).reason, "end_turn");
    assert.equal(await scene.notes(), "amended\n");
    assert.match(scene.results("Done.").join(), /amended/);
  } else {
    assert.deepEqual([reply.status, reply.body["code"]], [400, "UNSUPPORTED"]);
    await scene.approve(interaction);
    assert.equal((await scene.done(messageId)).reason, "end_turn");
    assert.equal(await scene.notes(), "x\n");
  }
}

async function parallel(scene: Scene): Promise<void> {
  const names = ["fox", "owl"];
  const runs = names.map((name) => `echo ${name} | tee -a notes`);
  const { messageId } = await scene.askedBy({ runs }, { say: "Done." });
  for (const _ of names) await scene.approve(await scene.asked());
  assert.equal((await scene.done(messageId)).reason, "end_turn");
  const tools = (await scene.session.items()).flatMap(({ tool }) => (tool ? [tool] : []));
  assert.equal(new Set(tools.map(({ toolCallId }) => toolCallId)).size, names.length);
  for (const name of names) {
    const own = tools.filter(({ input }) => JSON.stringify(input).includes(`echo ${name}`));
    assert.equal(own.length, 1);
    assert.match(JSON.stringify(own[0]?.result), new RegExp(name));
  }
  assert.deepEqual((await scene.notes())?.trim().split("\n").sort(), names);
}

async function answer(scene: Scene): Promise<void> {
  const ask = { question: "Which bird?", options: ["Robin", "Wren"] };
  const { messageId, interaction } = await scene.askedBy({ ask }, { say: "Thanks." });
  assert.equal(interaction.kind, "question");
  const [question] = interaction.questions ?? [];
  assert.ok(question);
  const labels = question.options.map(({ label }) => label);
  assert.deepEqual(labels, ask.options);
  const answers = { [question.id]: "Wren" };
  await scene.session.post("submit-answers", { toolCallId: interaction.toolCallId, answers });
  assert.equal((await scene.done(messageId)).reason, "end_turn");
  const heard = scene.hasModel ? scene.results("Thanks.").join() : scene.session.follower.text();
  assert.match(heard, /Wren/);
}

async function expire(scene: Scene): Promise<void> {
  const { rig } = scene;
  await rig.server.term();
  await rig.start({ DROVER__INTERACTIONS__TIMEOUT: "1s" });
  try {
    const { messageId } = await scene.session.send(scene.prompt(...writing));
    assert.equal((await scene.done(messageId)).reason, scene.subject.afterDenial);
    assert.equal(await scene.notes(), undefined);
    const reason = scene.session.all("interaction_resolved")[0]?.reason ?? "";
    assert.match(reason, /1 second/);
    await toldWhy(scene, { resolution: "expired", reason });
    await scene.isUsable();
  } finally {
    await rig.server.term();
    await rig.start();
  }
}

async function interrupt(scene: Scene): Promise<void> {
  const { messageId, interaction } = await scene.askedBy(...endless);
  await scene.approve(interaction);
  await until(() => scene.notes(), { ...patience, what: "the command runs" });
  await scene.session.post("interrupt");
  assert.equal((await scene.done(messageId)).reason, "cancelled");
  await scene.isUsable();
}

async function interruptAsking(scene: Scene): Promise<void> {
  const { messageId } = await scene.askedBy(...writing);
  await scene.session.post("interrupt");
  assert.equal((await scene.done(messageId)).reason, "cancelled");
  const [resolved] = scene.session.all("interaction_resolved");
  assert.deepEqual([resolved?.resolution, resolved?.cause], ["cancelled", "turn_cancelled"]);
  assert.deepEqual(await scene.session.openInteractions(), []);
  assert.equal(await scene.notes(), undefined);
  await scene.isUsable();
}

async function resume(scene: Scene): Promise<void> {
  const { session } = scene;
  await scene.turn({ say: "The robin sings." });
  const { agentSessionId } = await session.get();
  assert.ok(agentSessionId);
  await session.post("stop");
  await until(async () => (await session.get()).state === "stopped", { ...patience, what: "it stops" });
  await session.post("resume");
  await scene.isUsable();
  assert.equal((await session.get()).agentSessionId, agentSessionId);
  if (scene.hasModel) remembers(scene, "The robin sings.");
}

/** The model was told of an earlier turn's words. */
function remembers(scene: Scene, words: string): void {
  const told = scene.told("Still here.").filter(({ role }) => role === "assistant");
  assert.ok(
    told.some(({ text }) => text.includes(words)),
    `the model was told ${JSON.stringify(told)}`,
  );
}

function failure(done: EventOf<"done">): [boolean, string | undefined] {
  return [done.ok, done.error?.code];
}

async function failedLogin(scene: Scene): Promise<void> {
  const done = await scene.turn({ fail: { status: 401 } });
  assert.deepEqual([...failure(done), done.reason], [false, "AUTH_FAILED", "auth"]);
  await scene.isUsable();
}

async function limited(scene: Scene): Promise<void> {
  const done = await scene.turn({ fail: scene.subject.limit });
  const [isOk, code = ""] = failure(done);
  assert.equal(isOk, false);
  assert.ok(["RATE_LIMITED", "USAGE_LIMIT"].includes(code), `it is told as ${code}`);
  assert.equal(done.reason, "usage_limit");
  await scene.isUsable();
}

async function longPrompt(scene: Scene): Promise<void> {
  const script = `\n${scene.prompt({ say: "All of it." })}`;
  const sheep = "🐑 ".repeat((maxPromptBytes - Buffer.byteLength(script)) / 5);
  const prompt = sheep + ".".repeat(maxPromptBytes - Buffer.byteLength(sheep + script)) + script;
  assert.equal(Buffer.byteLength(prompt), maxPromptBytes);
  const done = await scene.session.turn(prompt, patience);
  assert.equal(done.reason, "end_turn");
  if (scene.hasModel) {
    const told = scene.told("All of it.").filter(({ role }) => role === "user");
    assert.ok(
      told.some(({ text }) => text.includes(prompt)),
      "every character of it",
    );
  } else {
    // What is no instruction is echoed.
    const said = scene.session.follower.text();
    assert.ok(said.includes(prompt.slice(0, prompt.indexOf("\n"))), "every character of it");
  }
}

async function queue(scene: Scene): Promise<void> {
  const git = (...args: string[]) =>
    execFileSync("git", args, { cwd: scene.cwd, env: { ...process.env, HOME: scene.rig.home } });
  git("init", "--quiet");
  git("commit", "--quiet", "--allow-empty", "-m", "Begin");
  const prompts = ["One.", "Two.", "Three."].map((say) => scene.prompt({ run: `touch ${say}txt` }, { say }));
  const messageIds: string[] = [];
  for (const prompt of prompts) messageIds.push((await scene.session.send(prompt)).messageId);
  for (const messageId of messageIds) {
    await scene.approve(await scene.asked());
    assert.equal((await scene.done(messageId)).reason, "end_turn");
  }
  assert.deepEqual(
    scene.session.all("turn_start").map(({ messageId }) => messageId),
    messageIds,
  );
  assert.match(scene.session.follower.text(), /One\..*Two\..*Three\.\s*$/s);
  if (!scene.subject.capabilities.freshContext) return;
  const state = (say: string) =>
    /Working tree: [^\\]*/.exec(JSON.stringify(scene.requestFor(say).body["system"]))?.[0];
  assert.deepEqual(["One.", "Two.", "Three."].map(state), [
    "Working tree: clean",
    "Working tree: dirty (1 untracked)",
    "Working tree: dirty (2 untracked)",
  ]);
}
