// What every agent must do that is added through drover.yaml.
import assert from "node:assert/strict";
import { approve, deny } from "../../conformance/answers.ts";
import { type Behaviour, behaviour, is, not } from "../../conformance/behaviour.ts";
import { patience, type Scene } from "../../conformance/stage.ts";
import { serverKilled } from "../../conformance/survival.ts";
import { interrupt, interruptRunning, resume, stream } from "../../conformance/turns.ts";
import { Conversation } from "../../e2e/support.ts";

const times = (text: string, words: string): number => text.split(words).length - 1;

/** The model gets the system text and the context, however the agent passes them on. */
async function systemText(scene: Scene): Promise<void> {
  const { rig, cwd, subject } = scene;
  const system = "Always speak of birds.";
  const { id } = await rig.client.post<{ id: string }>("/api/sessions", { agent: subject.name, cwd, system });
  await using session = new Conversation(rig, id);
  for (const say of ["First bird.", "Second bird."]) {
    assert.equal((await session.turn(scene.prompt({ say }), patience)).reason, "end_turn");
    const request = JSON.stringify(scene.requestFor(say).body);
    assert.equal(times(request, system), 1, `the system text, in the request for ${say}`);
    assert.equal(times(request, "</git_status>"), 1, `the context, in the request for ${say}`);
  }
  await rig.client.delete(`/api/sessions/${id}`);
}

/** Agents have their own lists of commands that they run without asking. */
const harmless = [{ run: "touch notes" }, { say: "Done." }];

async function askAboutHarmless(scene: Scene): Promise<void> {
  const { messageId, interaction } = await scene.promptUntilAsked(...harmless);
  assert.equal(await scene.notes(), undefined);
  await scene.approve(interaction);
  assert.equal((await scene.done(messageId)).reason, "end_turn");
  assert.equal(await scene.notes(), "");
}

/** It may hide its shell tool from the model, refuse the command itself, or ask and be denied. */
async function planOnly(scene: Scene): Promise<void> {
  await scene.rig.client.patch(scene.session.path(), { permissionMode: "plan" });
  await scene.turn(...harmless);
  assert.equal(await scene.notes(), undefined);
  assert.deepEqual(scene.session.all("approval_required"), []);
}

/**
 * droid sometimes loses a message that arrives within milliseconds of a cancelled turn: it ends the turn at once, without
 * a request to its model (0.215.0). The next message reaches it.
 */
async function interruptLossy(scene: Scene): Promise<void> {
  await interruptRunning(scene);
  const { reason } = await scene.turn({ say: "Lost, maybe." });
  assert.equal(reason, "end_turn");
  await scene.assertUsable();
}

export const behaviours: readonly Behaviour[] = [
  behaviour("text is streamed before the turn's only done event", stream),
  behaviour("the system text and the context reach the model once", systemText),
  behaviour("an approved command runs once", approve),
  behaviour("it asks even about a command that changes little", askAboutHarmless),
  behaviour("a denied command does not run", deny),
  behaviour("in plan mode no command runs, and the agent does not ask", planOnly),
  behaviour("an interrupted turn ends, and the session stays usable", interrupt, not(is("droid"))),
  behaviour("an interrupted turn ends, and the session stays usable", interruptLossy, is("droid")),
  behaviour("the conversation continues after its process was stopped", resume),
  behaviour("a command approved after kill -9 of the server runs once", (scene) =>
    serverKilled(scene, (server) => server.kill9()),
  ),
];
