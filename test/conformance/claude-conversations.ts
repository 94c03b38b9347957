// Conversations of the real Claude Code through Drover: forked, cut, and imported. The server is killed between the
// steps, because everything must be in the log and in the agent's files.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { Item, Session } from "@drover/core";
import { loadSdk, resolveClaudeCliPath } from "../../packages/server/src/drivers/claude/sdk.ts";
import { Conversation, type Rig } from "../e2e/support.ts";
import { cleanEnvironment } from "../kit/server.ts";
import { scriptedPrompt } from "../models/script.ts";
import type { Check } from "./checks.ts";
import { deadProxy } from "./direct.ts";
import { inScene, openStage, patience, type Scene, type Stage } from "./stage.ts";
import { subjects } from "./subjects.ts";

export function claudeConversationChecks(installed: string): Check[] {
  const subject = subjects.find(({ name }) => name === "claude");
  assert.ok(subject);
  const check = (title: string, play: (scene: Scene, stage: Stage) => Promise<void>): Check => ({
    title: `claude conversations: ${title}`,
    run: async () => {
      await using stage = await openStage(subject, installed);
      await inScene(stage, (scene) => play(scene, stage));
    },
  });
  return [
    check("a fork has the whole conversation so far, and its source continues independently", forkWhole),
    check("a fork at an event has nothing from after it", forkInTheMiddle),
    check("a fork made during a turn has nothing of that turn, and the turn continues", forkWhileAsking),
    check(
      "a conversation started outside Drover is listed, imported with its history, and continued",
      (scene, stage) => takeOver(scene, { stage, installed }),
    ),
  ];
}

async function restart(rig: Rig): Promise<void> {
  await rig.server.kill9();
  await rig.start();
}

const fork = (scene: Scene, body: object = {}): Promise<Session> => scene.session.post("fork", body);

async function turnOf(session: Conversation, scene: Scene, say: string): Promise<void> {
  const { reason } = await session.turn(scene.prompt({ say }), patience);
  assert.equal(reason, "end_turn");
}

/** The model's earlier replies, in the request that it answered with `say`. */
const own = (scene: Scene, say: string): string[] =>
  scene.conversationAt(say).flatMap(({ role, text: words }) => (role === "assistant" ? [words] : []));

/** An item without the fields that are specific to its session. */
const content = ({ id: _id, seq: _seq, turnId: _turnId, ...rest }: Item) => rest;

async function forkWhole(scene: Scene): Promise<void> {
  const { rig, session } = scene;
  await scene.turn({ say: "The robin sings." });
  const before = await session.items();
  await restart(rig);
  const made = await fork(scene, { title: "Another way" });
  assert.deepEqual([made.title, made.state, made.usage.outputTokens], ["Another way", "idle", 0]);
  await restart(rig);
  await using forked = new Conversation(rig, made.id);
  assert.deepEqual((await forked.items()).map(content), before.map(content));
  await turnOf(forked, scene, "From the fork.");
  assert.ok(own(scene, "From the fork.").includes("The robin sings."));
  assert.equal((await forked.get()).agentSessionId, made.agentSessionId);
  assert.equal((await forked.get()).usage.outputTokens, 20, "usage does not include the source's");
  assert.deepEqual(await session.items(), before);
  await turnOf(session, scene, "From the source.");
  assert.deepEqual(own(scene, "From the source."), ["The robin sings."]);
  assert.notEqual((await session.get()).agentSessionId, made.agentSessionId);
}

async function forkInTheMiddle(scene: Scene): Promise<void> {
  const { rig, session } = scene;
  await scene.turn({ say: "The robin sings." });
  const asking = await scene.promptUntilAsked(
    { say: "I write.", run: "echo heron >> notes" },
    { say: "It is written." },
  );
  await scene.approve(asking.interaction);
  await scene.done(asking.messageId);
  await scene.turn({ say: "The owl sleeps." });
  const items = await session.items();
  const call = items.find(({ kind }) => kind === "tool");
  assert.ok(call);
  await restart(rig);
  const made = await fork(scene, { at: call.seq });
  await restart(rig);
  await using forked = new Conversation(rig, made.id);
  const kept = items.slice(0, items.indexOf(call) + 1);
  assert.deepEqual((await forked.items()).map(content), kept.map(content));
  await turnOf(forked, scene, "From the middle.");
  assert.deepEqual(own(scene, "From the middle.").slice(0, 2), ["The robin sings.", "I write."]);
  assert.ok(!own(scene, "From the middle.").includes("It is written."));
  assert.equal(scene.results("From the middle.").length, 1, "the call has its result");
  const request = JSON.stringify(scene.requestFor("From the middle.").body);
  assert.ok(request.includes("The robin sings.") && !request.includes("The owl sleeps."));

  const first = (await forked.items()).find(({ text: words }) => words === "The robin sings.");
  const again = await rig.client.post<Session>(`/api/sessions/${made.id}/fork`, { at: first?.seq });
  await using second = new Conversation(rig, again.id);
  await turnOf(second, scene, "From the beginning.");
  assert.deepEqual(own(scene, "From the beginning."), ["The robin sings."]);
  const { lastSeq } = await session.get();
  for (const at of [0, lastSeq + 1]) {
    const refused = await rig.client.ask("POST", session.path("/fork"), { body: { at } });
    assert.equal(refused.status, 400);
    assert.match(JSON.stringify(refused.body), /"path":"at"/);
  }
}

async function forkWhileAsking(scene: Scene): Promise<void> {
  const { rig } = scene;
  await scene.turn({ say: "The robin sings." });
  const asking = await scene.promptUntilAsked({ run: "echo x >> notes" }, { say: "It is written." });
  await restart(rig);
  const made = await fork(scene);
  await using forked = new Conversation(rig, made.id);
  assert.deepEqual(
    (await forked.items()).map(({ kind }) => kind),
    ["user", "text"],
  );
  assert.deepEqual(await forked.openInteractions(), []);
  await turnOf(forked, scene, "From the fork.");
  assert.deepEqual(own(scene, "From the fork."), ["The robin sings."]);
  await scene.approve(await scene.interaction());
  assert.equal((await scene.done(asking.messageId)).reason, "end_turn");
  assert.equal(await scene.notes(), "x\n");
}

interface Listed {
  conversations: { agentSessionId: string; title: string; cwd: string; sessionId?: string }[];
}

async function takeOver(
  scene: Scene,
  { stage, installed }: { stage: Stage; installed: string },
): Promise<void> {
  const { rig, subject } = scene;
  const cwd = join(rig.home, "work", "outside");
  await mkdir(cwd);
  const steps = [{ think: "Hm.", say: "I look.", run: "printf heron" }, { say: "The heron fishes." }];
  const prompt = `What do you see?\n${scriptedPrompt(...steps)}`;
  const id = await askOutside({ stage, installed, cwd, prompt });
  await restart(rig);
  const list = async () =>
    (await rig.client.get<Listed>(`/api/agents/${subject.name}/conversations?cwd=${cwd}`)).conversations;
  const [listed, ...more] = await list();
  assert.deepEqual([listed?.agentSessionId, listed?.cwd, listed?.sessionId, more], [id, cwd, undefined, []]);
  assert.match(listed?.title ?? "", /^What do you see\?/);

  const create = { agent: subject.name, cwd, agentSessionId: id };
  const adopted = await rig.client.post<Session>("/api/sessions", create);
  await restart(rig);
  await using session = new Conversation(rig, adopted.id);
  const items = await session.items();
  assert.deepEqual(
    items.map(({ kind, text: words, tool }) => [kind, words ?? `${tool?.title}: ${tool?.status}`]),
    [
      ["user", prompt],
      ["thinking", "Hm."],
      ["text", "I look."],
      ["tool", "printf heron: complete"],
      ["text", "The heron fishes."],
    ],
  );
  assert.match(JSON.stringify(items.find(({ tool }) => tool)?.tool?.result), /heron/);
  assert.equal((await list())[0]?.sessionId, adopted.id);
  await turnOf(session, scene, "Inside.");
  assert.ok(own(scene, "Inside.").includes("The heron fishes."));
  assert.equal((await session.get()).agentSessionId, id);

  const twice = await rig.client.ask("POST", "/api/sessions", { body: create });
  assert.equal(twice.status, 400);
  assert.match(JSON.stringify(twice.body), new RegExp(adopted.id));
  const agentSessionId = "99999999-2222-4333-8444-555555555555";
  const unknown = await rig.client.ask("POST", "/api/sessions", { body: { ...create, agentSessionId } });
  assert.equal(unknown.status, 404);
  assert.match(JSON.stringify(unknown.body), /"what":"conversation"/);
}

interface Outside {
  stage: Stage;
  installed: string;
  cwd: string;
  prompt: string;
}

/** Runs `claude -p` in that home as a person would; returns the id of the conversation. */
async function askOutside({ stage, installed, cwd, prompt }: Outside): Promise<string> {
  const { rig, model } = stage;
  const env = {
    ...cleanEnvironment(rig.home),
    ...deadProxy(model?.url ?? ""),
    ANTHROPIC_API_KEY: "made-up",
    ANTHROPIC_BASE_URL: model?.url ?? "",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  };
  const { resolve } = loadSdk([installed], "Claude Code");
  const cli = await resolveClaudeCliPath({ resolve, command: "claude", cwd, env });
  assert.ok(cli);
  const args = ["-p", "--output-format", "json", "--allowedTools", "Bash"];
  const child = spawn(cli, args, { cwd, env, stdio: ["pipe", "pipe", "inherit"] });
  const output = text(child.stdout);
  child.stdin.end(prompt);
  const [code] = await once(child, "exit");
  assert.equal(code, 0);
  return (JSON.parse(await output) as { session_id: string }).session_id;
}
