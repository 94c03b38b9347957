import {
  type AgentInfo,
  accountGroupOf,
  type InspectedAgent,
  offeredModes,
  ok,
  type Preset,
} from "@drover/core";
import type { Service } from "../../service.ts";
import type { EngineContext } from "../context.ts";
import { listConversations } from "../conversations/adopt.ts";
import type { EngineDeps } from "../deps.ts";
import { notFound } from "../not-found.ts";
import { unlessFault } from "../unless-fault.ts";

export function agentsService(context: EngineContext): Service["agents"] {
  const { deps, registry } = context;
  return {
    async list() {
      const infos = await Promise.all([...deps.presets.values()].map((preset) => infoOf(context, preset)));
      return infos.filter((info) => info !== undefined);
    },

    async add(agent) {
      const preset = deps.presets.get(agent);
      if (!preset) return notFound("agent", agent);
      const installed = await unlessFault(context, "add", deps.install(preset));
      if (!installed.ok) return installed;
      const info = await infoOf(context, preset);
      return info ? ok(info) : notFound("agent", agent);
    },

    async conversations(agent, { cwd }) {
      const preset = deps.presets.get(agent);
      return preset ? listConversations(context, { preset, cwd }) : notFound("agent", agent);
    },

    async reconnect(agent) {
      if (!deps.presets.has(agent)) return notFound("agent", agent);
      const actors = (await registry.loaded()).filter((actor) => actor.journal.row.about.agent === agent);
      const down = actors.filter((actor) =>
        ["disconnected", "reconnecting"].includes(actor.link.status.status),
      );
      await Promise.all(down.map((actor) => actor.reconnect()));
      return ok({ reconnecting: down.length });
    },
  };
}

/** The state of an agent; undefined if no driver is available for it. */
async function infoOf({ deps, registry }: EngineContext, preset: Preset): Promise<AgentInfo | undefined> {
  const driver = deps.drivers[preset.driver];
  if (!driver) return undefined;
  const actors = (await registry.loaded()).filter(
    ({ journal, link }) => journal.row.about.agent === preset.agent && link.status.status !== "idle",
  );
  const models = actors.map(({ link }) => link.live?.models ?? []).find(({ length }) => length > 0);
  const connections = actors.map(({ id, link }) => ({
    sessionId: id,
    status: link.status.status,
    attempt: link.status.attempt,
  }));
  return {
    agent: preset.agent,
    name: preset.name,
    driver: preset.driver,
    connections,
    capabilities: driver.capabilities(preset),
    modes: offeredModes(preset),
    lacks: driver.lacks(preset),
    ...(models ? { models } : {}),
    ...(await inspected(deps, preset)),
  };
}

/** An agent with an account needs no login of its own. */
async function inspected({ inspect, store }: EngineDeps, preset: Preset): Promise<InspectedAgent> {
  const { remedy, ...found } = await inspect(preset);
  const known = remedy === undefined ? found : { ...found, remedy };
  if (!found.installed || found.login === "ok" || !preset.account) return known;
  const group = accountGroupOf(preset);
  const accounts = await store.accounts();
  return accounts.some((one) => one.group === group && one.enabled) ? { ...found, login: "ok" } : known;
}
