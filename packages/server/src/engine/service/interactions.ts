import { type Command, type Interaction, ok, type Rejection, type Result, reject } from "@drover/core";
import type { Service } from "../../service.ts";
import { withRemainingTime } from "../alarms/alarms-for.ts";
import type { EngineContext } from "../context.ts";
import { notFound } from "../not-found.ts";

type Settling = Extract<Command, { type: "approve" | "deny" | "answer" }>;

export function interactionsService({ deps, registry, alarms }: EngineContext): Service["interactions"] {
  /** Settles one interaction; who comes second is told who was first. */
  async function settle(idOrName: string, command: Settling): Promise<Result<Interaction, Rejection>> {
    const actor = await registry.find(idOrName);
    if (!actor) return notFound("session", idOrName);
    const decided = await actor.run(command);
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

  return {
    async list(query) {
      const found = await deps.store.interactions(query);
      return found.map((interaction) => withRemainingTime(alarms, interaction));
    },

    async approve(idOrName, approval, { by }) {
      const { toolCallId, scope, input, inputHash, permissionMode } = approval;
      const given = {
        ...(inputHash === undefined ? {} : { inputHash }),
        ...(permissionMode ? { permissionMode } : {}),
      };
      return settle(idOrName, { type: "approve", toolCallId, by, scope, input, ...given });
    },

    deny: (idOrName, { toolCallId, reason }, { by }) =>
      settle(idOrName, { type: "deny", toolCallId, by, ...(reason === undefined ? {} : { reason }) }),

    answer: (idOrName, { toolCallId, answers, inputHash }, { by }) =>
      settle(idOrName, {
        ...{ type: "answer", toolCallId, by, answers },
        ...(inputHash === undefined ? {} : { inputHash }),
      }),
  };
}
