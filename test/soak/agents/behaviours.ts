// What every agent must do that people add by drover.yaml alone.
import assert from "node:assert/strict";
import { approve, deny } from "../../conformance/answers.ts";
import { type Behaviour, behaviour, is, not } from "../../conformance/behaviour.ts";
import { patience, type Scene } from "../../conformance/stage.ts";
import { serverKilled } from "../../conformance/survival.ts";
import { interrupt, interruptRunning, resume, stream } from "../../conformance/turns.ts";
import { Conversation } from "../../e2e/support.ts";

const times = (text: string, words: string): number => text.split(words).length - 1;

/** The model is told what the session says, and where the agent works, however the agent takes it. */
async function systemText(scene: Scene): Promise<void> {
  const { rig, cwd, subject } = scene;
  const system = "Always speak of birds.";
  const { id } = await rig.client.post<{ id: string }>("/api/sessions", { agent: subject.name, cwd, system });
  await using session = new Conversation(rig, id);
  for (const say of ["First bird.", "Second bird."]) {
    assert.equal((await session.turn(scene.prompt({ say }), patience)).reason, "end_turn");
    const told = JSON.stringify(scene.requestFor(say).body);
    assert.equal(times(told, system), 1, `the system text, as of ${say}`);
    assert.equal(times(told, "</git_status>"), 1, `where it works, as of ${say}`);
  }
  await rig.client.delete(`/api/sessions/${id}`);
}

/** Agents have lists of their own of commands that they think nobody needs to be asked about. */
const harmless = [{ run: "touch notes" }, { say: "Done." }];

async function askAboutHarmless(scene: Scene): Promise<void> {
  const { messageId, interaction } = await scene.askedBy(...harmless);
  assert.equal(await scene.notes(), undefined);
  await scene.approve(interaction);
  assert.equal((await scene.done(messageId)).reason, "end_turn");
  assert.equal(await scene.notes(), "");
}

/** However it holds to it: it offers its model no tool for commands, refuses by itself, or asks and is denied. */
async function planOnly(scene: Scene): Promise<void> {
  await scene.rig.client.patch(scene.session.path(), { permissionMode: "plan" });
  await scene.turn(...harmless);
  assert.equal(await scene.notes(), undefined);
  assert.deepEqual(scene.session.all("approval_required"), []);
}

/**
 * A message that comes within milliseconds of a cancelled turn is lost on droid now and then: it ends the turn at once,
 * and its model is never asked (0.215.0). The next one reaches it.
 */
async function interruptHardOfHearing(scene: Scene): Promise<void> {
  await interruptRunning(scene);
  const { reason } = await scene.turn({ say: "Lost, maybe." });
  assert.equal(reason, "end_turn");
  await scene.isUsable();
}

export const behaviours: readonly Behaviour[] = [
  behaviour("a turn streams text before its one end", stream),
  behaviour("the system text and where it works reach the model, once", systemText),
  behaviour("an approved command runs once", approve),
  behaviour("a command that changes little is asked about, too", askAboutHarmless),
  behaviour("a denied command does not run", deny),
  behaviour("in plan mode no command runs, and nobody is asked", planOnly),
  behaviour("an interrupted turn ends, and the session goes on", interrupt, not(is("droid"))),
  behaviour("an interrupted turn ends, and the session goes on", interruptHardOfHearing, is("droid")),
  behaviour("the conversation goes on after its process was ended", resume),
  behaviour("kill -9 of the server while it asks; approved after, it runs once", (scene) =>
    serverKilled(scene, (server) => server.kill9()),
  ),
];
