import {
  awaitsFollowUp,
  type Command,
  type Interaction,
  isChangeGate,
  ok,
  type Rejection,
  type Result,
  reject,
} from "@drover/core";
import type { Service } from "../../service.ts";
import { withRemainingTime } from "../alarms/alarms-for.ts";
import type { EngineContext } from "../context.ts";
import { settleGate } from "../gate/settle-gate.ts";
import { notFound } from "../not-found.ts";
import { refreshSession } from "../review/reactor.ts";

type Settling = Extract<Command, { type: "approve" | "deny" | "answer" }>;

export function interactionsService(context: EngineContext): Service["interactions"] {
  const { deps, registry, alarms } = context;
  /** Settles one interaction; a second caller learns who settled it first. */
  async function settle(idOrName: string, command: Settling): Promise<Result<Interaction, Rejection>> {
    const actor = await registry.find(idOrName);
    if (!actor) return notFound("session", idOrName);
    const gate = actor.journal.state.interactions.find(
      (open) => isChangeGate(open) && [open.id, open.toolCallId].includes(command.toolCallId),
    );
    const isGate = gate !== undefined && command.type !== "answer";
    const decided = isGate ? await settleGate(actor, gate, command) : await actor.run(command);
    // What an update left may be approved now.
    if (isGate && decided.ok) context.background.run(() => refreshSession(context, actor));
    if (!decided.ok && decided.error.code === "NOT_FOUND") return earlier(actor.id, command, decided.error);
    if (!decided.ok) return decided;
    const settled = await deps.store.interaction(decided.value.interaction?.id ?? "");
    if (!settled) throw new Error("A settled interaction is missing from the store");
    return ok(settled);
  }

  async function earlier(
    sessionId: string,
    command: Settling,
    otherwise: Rejection,
  ): Promise<Result<Interaction, Rejection>> {
    const kind = command.type === "answer" ? "question" : "approval";
    const first = await deps.store.settledInteraction({ sessionId, kind, id: command.toolCallId });
    if (!first) return { ok: false, error: otherwise };
    const { resolution, by, at } = first;
    return reject("ALREADY_RESOLVED", `${by} already settled this: ${resolution}; the first answer stands`, {
      resolution,
      by,
      at,
    });
  }

  /** By its own id, or by that of the tool call it was about. */
  async function findExpired(sessionId: string, id: string): Promise<Interaction | undefined> {
    for (const kind of ["approval", "question"] as const) {
      const found = await deps.store.settledInteraction({ sessionId, kind, id });
      if (found && awaitsFollowUp(found)) return found;
    }
    return undefined;
  }

  /** Runs in the mailbox from its first read: if two people follow up at once, the second finds nothing. */
  async function followUp(
    idOrName: string,
    toolCallId: string,
    command: { type: "ask_again"; by: string; clientId?: string } | { type: "dismiss"; by: string },
  ): Promise<Result<Interaction, Rejection>> {
    const actor = await registry.find(idOrName);
    if (!actor) return notFound("session", idOrName);
    return actor.log.mailbox.run(async () => {
      if (actor.isBeingDeleted) return notFound("session", idOrName);
      const interaction = await findExpired(actor.id, toolCallId);
      if (!interaction) return notExpired;
      const decided = await actor.log.perform({ ...command, interaction }, { settled: [interaction] });
      if (!decided.ok) return decided;
      return ok((await deps.store.interaction(interaction.id)) ?? interaction);
    });
  }

  return {
    async list(query) {
      const found = await deps.store.interactions(query);
      return found.map((interaction) => withRemainingTime(alarms, interaction));
    },

    async approve(idOrName, approval, { by }) {
      const { toolCallId, scope, input, inputHash, permissionMode } = approval;
      const options = {
        ...(inputHash === undefined ? {} : { inputHash }),
        ...(permissionMode ? { permissionMode } : {}),
      };
      return settle(idOrName, { type: "approve", toolCallId, by, scope, input, ...options });
    },

    deny: (idOrName, { toolCallId, reason }, { by, clientId }) =>
      settle(idOrName, {
        ...{ type: "deny", toolCallId, by },
        ...(clientId ? { clientId } : {}),
        ...(reason === undefined ? {} : { reason }),
      }),

    answer: (idOrName, { toolCallId, answers, inputHash }, { by }) =>
      settle(idOrName, {
        ...{ type: "answer", toolCallId, by, answers },
        ...(inputHash === undefined ? {} : { inputHash }),
      }),

    askAgain: (idOrName, { toolCallId }, { by, clientId }) =>
      followUp(idOrName, toolCallId, { type: "ask_again", by, ...(clientId ? { clientId } : {}) }),

    dismiss: (idOrName, { toolCallId }, { by }) => followUp(idOrName, toolCallId, { type: "dismiss", by }),
  };
}

const notExpired = reject(
  "NOT_FOUND",
  "No expired request has that id; GET /api/interactions?state=expired lists them",
  { what: "interaction" },
);
