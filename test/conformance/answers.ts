// What agents do with a person's answers, and without them.
import assert from "node:assert/strict";
import type { Interaction } from "@drover/core";
import type { Scene } from "./stage.ts";
import type { Ask } from "./subjects.ts";

export const writing = [{ say: "I write it down.", run: "echo x >> notes" }, { say: "Done." }];

export async function approve(scene: Scene): Promise<void> {
  const { messageId, interaction } = await scene.promptUntilAsked(...writing);
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

export async function deny(scene: Scene): Promise<void> {
  const { messageId, interaction } = await scene.promptUntilAsked(...writing);
  const reason = "not on a Friday";
  await scene.session.post("deny", { toolCallId: interaction.toolCallId, reason });
  assert.equal((await scene.done(messageId)).reason, scene.subject.afterDenial);
  assert.equal(await scene.notes(), undefined);
  await assertReason(scene, { resolution: "denied", reason, sent: `User denied tool execution: ${reason}` });
  await scene.assertUsable();
}

interface ExpectedReason {
  resolution: string;
  reason: string;
  /** What the agent gets, if it can take a reason. */
  sent: string;
}

/** The reason is recorded with whether it reached the agent; if it did, the model's next request has it. */
async function assertReason(scene: Scene, expected: ExpectedReason): Promise<void> {
  const { denyReason } = scene.subject.capabilities;
  const [resolved] = scene.session.all("interaction_resolved");
  assert.deepEqual(
    [resolved?.resolution, resolved?.reason, resolved?.reasonDelivered],
    [expected.resolution, expected.reason, denyReason],
  );
  if (denyReason) assert.ok(scene.results("Done.").join().includes(expected.sent));
}

export async function amend(scene: Scene): Promise<void> {
  const { messageId, interaction } = await scene.promptUntilAsked(...writing);
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

export async function parallel(scene: Scene): Promise<void> {
  const names = ["fox", "owl"];
  const runs = names.map((name) => `echo ${name} | tee -a notes`);
  const messageId = await scene.letRun([{ runs }, { say: "Done." }], names.length);
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

export async function answer(scene: Scene): Promise<void> {
  const ask = { question: "Which bird?", options: ["Robin", "Wren"] };
  const { messageId, interaction } = await scene.promptUntilAsked({ asks: [ask] }, { say: "Thanks." });
  assert.equal(interaction.kind, "question");
  const [question] = interaction.questions ?? [];
  assert.ok(question);
  const labels = question.options.map(({ label }) => label);
  assert.deepEqual(labels, ask.options);
  await submit(scene, interaction, { [question.id]: "Wren" });
  assert.equal((await scene.done(messageId)).reason, "end_turn");
  const received = scene.hasModel ? scene.results("Thanks.").join() : scene.session.follower.text();
  assert.match(received, /Wren/);
}

function submit(scene: Scene, { toolCallId }: Interaction, answers: Record<string, string | string[]>) {
  return scene.session.post("submit-answers", { toolCallId, answers });
}

/** One question takes one answer, the other takes several. */
export async function answerSeveral(scene: Scene): Promise<void> {
  const asks: Ask[] = [
    { question: "Which bird?", options: ["Robin", "Wren"] },
    { question: "Which trees?", options: ["Oak", "Elm", "Yew"], several: true },
  ];
  const { messageId, interaction } = await scene.promptUntilAsked({ asks }, { say: "Thanks." });
  const questions = interaction.questions ?? [];
  const shown = questions.map(({ question, multiSelect }) => [question, multiSelect]);
  assert.deepEqual(shown, [
    ["Which bird?", false],
    ["Which trees?", true],
  ]);
  const [bird = "", trees = ""] = questions.map(({ id }) => id);
  await submit(scene, interaction, { [bird]: "Wren", [trees]: ["Oak", "Yew"] });
  assert.equal((await scene.done(messageId)).reason, "end_turn");
  assert.match(scene.results("Thanks.").join(), /Which bird\?\W+Wren\W+Which trees\?\W+Oak, ?Yew/);
}

export async function expire(scene: Scene): Promise<void> {
  const { rig } = scene;
  await rig.server.term();
  await rig.start({ DROVER__INTERACTIONS__TIMEOUT: "1s" });
  try {
    const { messageId } = await scene.session.send(scene.prompt(...writing));
    assert.equal((await scene.done(messageId)).reason, scene.subject.afterDenial);
    assert.equal(await scene.notes(), undefined);
    const reason = scene.session.all("interaction_resolved")[0]?.reason ?? "";
    assert.equal(reason, "Tool approval timed out after 1 second");
    await assertReason(scene, { resolution: "expired", reason, sent: reason });
    await scene.assertUsable();
  } finally {
    await rig.server.term();
    await rig.start();
  }
}

export async function answerTwice(scene: Scene): Promise<void> {
  const { messageId, interaction } = await scene.promptUntilAsked(...writing);
  const body = { toolCallId: interaction.toolCallId };
  const answer = (action: string) => scene.rig.client.ask("POST", scene.session.path(action), { body });
  const replies = await Promise.all([answer("/approve"), answer("/deny")]);
  const [won, lost] = replies[0].status === 200 ? replies : replies.toReversed();
  assert.equal(won?.status, 200);
  const late = await answer("/approve");
  const first = { resolution: won.body["resolution"], by: won.body["by"], at: won.body["at"] };
  for (const refused of [lost, late]) {
    assert.equal(refused?.status, 409);
    const { code, resolution, by, at } = refused.body;
    assert.deepEqual({ code, resolution, by, at }, { code: "ALREADY_RESOLVED", ...first });
  }
  await scene.done(messageId);
  assert.equal(await scene.notes(), first.resolution === "approved" ? "x\n" : undefined);
}

export async function answerWrongly(scene: Scene): Promise<void> {
  const { messageId, interaction } = await scene.promptUntilAsked(...writing);
  const { toolCallId } = interaction;
  const wrong = [
    ["/approve", { toolCallId: "call_404" }],
    ["/deny", { toolCallId: "call_404" }],
    ["/submit-answers", { toolCallId, answers: { q1: "A" } }],
  ] as const;
  for (const [action, body] of wrong) {
    const reply = await scene.rig.client.ask("POST", scene.session.path(action), { body });
    assert.deepEqual([reply.status, reply.body["code"]], [404, "NOT_FOUND"]);
  }
  await scene.approve(interaction);
  assert.equal((await scene.done(messageId)).reason, "end_turn");
  assert.equal(await scene.notes(), "x\n");
}

export async function approveForSession(scene: Scene): Promise<void> {
  const { messageId, interaction } = await scene.promptUntilAsked({ run: "touch first" }, { say: "Done." });
  assert.deepEqual(interaction.scopes, ["once", "session"]);
  await scene.approve(interaction, { scope: "session" });
  await scene.done(messageId);
  assert.equal((await scene.turn({ run: "touch notes" }, { say: "Done." })).reason, "end_turn");
  assert.equal(await scene.notes(), "");
  assert.equal(scene.session.all("approval_required").length, 1);
  assert.equal(scene.session.all("interaction_resolved").at(-1)?.by, "rule:session-scope");
}

export async function planOnly(scene: Scene): Promise<void> {
  await scene.rig.client.patch(scene.session.path(), { permissionMode: "plan" });
  assert.equal((await scene.turn(...writing)).reason, scene.subject.afterDenial);
  assert.equal(await scene.notes(), undefined);
  assert.deepEqual(scene.session.all("approval_required"), []);
  const [resolved] = scene.session.all("interaction_resolved");
  assert.deepEqual([resolved?.resolution, resolved?.by], ["denied", "rule:mode-plan"]);
}
