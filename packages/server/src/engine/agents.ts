import { offeredModes, ok, type Rejection, type Result, reject } from "@drover/core";
import type { AgentInfo, Service } from "../service.ts";
import { listConversations } from "./conversations.ts";
import type { EngineContext } from "./engine.ts";

export function agentsService(context: EngineContext): Service["agents"] {
  const { deps, registry } = context;
  return {
    async list() {
      const actors = await registry.loaded();
      return Promise.all(
        [...deps.presets.values()].flatMap((preset) => {
          const driver = deps.drivers[preset.driver];
          if (!driver) return [];
          const connections = actors
            .filter(
              (actor) =>
                actor.journal.row.about.agent === preset.agent && actor.link.status.status !== "idle",
            )
            .map((actor) => ({
              sessionId: actor.id,
              status: actor.link.status.status,
              attempt: actor.link.status.attempt,
            }));
          return deps.inspect(preset).then(
            (found): AgentInfo => ({
              agent: preset.agent,
              name: preset.name,
              driver: preset.driver,
              connections,
              capabilities: driver.capabilities(preset),
              modes: offeredModes(preset),
              lacks: driver.lacks(preset),
              ...found,
            }),
          );
        }),
      );
    },

    async conversations(agent, { cwd }) {
      const preset = deps.presets.get(agent);
      return preset ? listConversations(context, { preset, cwd }) : unknownAgent(agent);
    },

    async reconnect(agent) {
      if (!deps.presets.has(agent)) return unknownAgent(agent);
      const actors = (await registry.loaded()).filter((actor) => actor.journal.row.about.agent === agent);
      const down = actors.filter((actor) =>
        ["disconnected", "reconnecting"].includes(actor.link.status.status),
      );
      await Promise.all(down.map((actor) => actor.reconnect()));
      return ok({ reconnecting: down.length });
    },
  };
}

const unknownAgent = (agent: string): Result<never, Rejection> =>
  reject("NOT_FOUND", `There is no agent ${agent}; list them with GET /api/agents`, { what: "agent" });
