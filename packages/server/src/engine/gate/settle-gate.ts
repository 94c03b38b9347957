import {
  type Command,
  type Decision,
  gatedChangesSchema,
  type Interaction,
  ok,
  type Rejection,
  type Result,
} from "@drover/core";
import type { PendingDenial } from "../../ports.ts";
import type { Answer } from "../../service.ts";
import { changeFiles, whileIdle } from "../checkpoints/change-files.ts";
import { noRepository } from "../checkpoints/rejections.ts";
import type { SessionActor } from "../session/actor.ts";

type Settling = Extract<Command, { type: "approve" | "deny" }>;

/** Approves or denies what a turn has changed. A denial puts the files back first; if that fails, the gate stays open. */
export function settleGate(actor: SessionActor, gate: Interaction, command: Settling): Answer<Decision> {
  return whileIdle(actor, command.type, async () => {
    // One that was cut off was first.
    await completeDenial(actor);
    if (command.type === "approve" || !isOpen(actor, gate.id)) return actor.log.perform(command);
    const { by, clientId, reason } = command;
    const more = { ...(clientId ? { clientId } : {}), ...(reason ? { reason } : {}) };
    return deny(actor, gate, { interactionId: gate.id, by, ...more });
  });
}

/** Finishes what the last server had begun. */
export function finishDenial(actor: SessionActor): Promise<unknown> {
  if (!actor.journal.row.runtime.denial) return Promise.resolve();
  return whileIdle(actor, "deny", async () => ok(await completeDenial(actor)));
}

const isOpen = (actor: SessionActor, id: string) =>
  actor.journal.state.interactions.some((open) => open.id === id);

/** Runs in `whileIdle`. */
async function completeDenial(actor: SessionActor): Promise<void> {
  const { log, journal } = actor;
  const { denial } = journal.row.runtime;
  if (!denial) return;
  const gate = journal.state.interactions.find(({ id }) => id === denial.interactionId);
  if (!gate) return forget(actor);
  const denied = await deny(actor, gate, denial);
  if (denied.ok) return;
  const { code, message, facts } = denied.error;
  const notice = { type: "notice" as const, code, message, facts: { ...facts } };
  await log.commit({ events: [notice], durability: "output" });
}

/** The denial is on record before a file changes, so that the next server finishes it. */
async function deny(actor: SessionActor, gate: Interaction, denial: PendingDenial): Answer<Decision> {
  const { log, journal } = actor;
  const isAgain = journal.row.runtime.denial !== undefined;
  if (!isAgain) await log.commit({ runtime: { denial }, durability: "command" });
  const back = await putBack(actor, gate, isAgain);
  if (!back.ok) {
    await forget(actor);
    return back;
  }
  const { interactionId: toolCallId, ...how } = denial;
  return log.perform({ type: "deny", toolCallId, ...how }, { runtime: { denial: null } });
}

const forget = ({ log }: SessionActor) => log.commit({ runtime: { denial: null }, durability: "command" });

/** Makes the files what they were before the turn. */
async function putBack(
  actor: SessionActor,
  { turnId = "", input }: Interaction,
  isAgain: boolean,
): Promise<Result<unknown, Rejection>> {
  const { checkpoints, settings } = actor.log.deps;
  const { session } = actor.turns.checkpointer;
  const { before, after: known } = gatedChangesSchema.parse(input);
  const changed = await changeFiles(actor, async () => {
    const after = known ?? (await checkpoints.take(session, settings.checkpointTimeoutMs))?.commit;
    if (after === undefined) return noRepository(session.cwd);
    if (known === undefined) await checkpoints.keep(session, turnId, { before, after });
    return ok({
      about: { reverts: turnId },
      isAgain,
      apply: (now) => checkpoints.revert(session, { before, after, now, force: false }),
    });
  });
  return changed.ok ? changed : { ok: false, error: explained(changed.error, actor) };
}

function explained(error: Rejection, actor: SessionActor): Rejection {
  if (error.code !== "REVERT_CONFLICT") return error;
  const files = (error.facts?.["files"] as readonly string[] | undefined) ?? [];
  const message = `Nothing was put back, because these files have changed since the turn ended: ${files.slice(0, 5).join(", ")}${files.length > 5 ? " …" : ""}. Undo those changes and deny again, or lose them with \`drover undo ${actor.journal.row.name} --force\`; until then the approval stays open`;
  return { ...error, message };
}
