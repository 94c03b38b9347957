import {
  err,
  offeredModes,
  type PermissionMode,
  type Preset,
  type Rejection,
  type Result,
  reject,
} from "@drover/core";
import type { SessionAbout } from "../../ports.ts";
import type { EngineDeps } from "../deps.ts";

/** What a person may want of an agent when a session is made or changed. */
export interface Wishes {
  readonly permissionMode?: PermissionMode | undefined;
  readonly model?: string | undefined;
  readonly mcpServers?: Readonly<Record<string, unknown>> | undefined;
  readonly agentSessionId?: string | undefined;
}

/** The refusal of what the agent cannot be given; undefined when it can be given all of it. */
export function refuseWishes(
  deps: EngineDeps,
  preset: Preset,
  wishes: Wishes,
): Result<never, Rejection> | undefined {
  const { permissionMode } = wishes;
  const offered = offeredModes(preset);
  if (permissionMode !== undefined && !offered.includes(permissionMode)) {
    const message = `${preset.name} has no mode "${permissionMode}"; choose one of: ${offered.join(", ")}`;
    return reject("UNSUPPORTED", message, { what: `permissionMode ${permissionMode}` });
  }
  const lacks = deps.drivers[preset.driver]?.lacks(preset) ?? [];
  if (wishes.model !== undefined && lacks.includes("model")) {
    const message = `${preset.name} takes no model from Drover; choose it in its own settings`;
    return reject("UNSUPPORTED", message, { what: "model" });
  }
  if (Object.keys(wishes.mcpServers ?? {}).length > 0 && lacks.includes("mcpServers")) {
    const message = `${preset.name} takes no MCP servers from Drover; add them to its own settings`;
    return reject("UNSUPPORTED", message, { what: "mcpServers" });
  }
  if (wishes.agentSessionId !== undefined && !deps.drivers[preset.driver]?.capabilities(preset).resume) {
    const message = `${preset.name} cannot go on with a conversation; start a session without agentSessionId`;
    return reject("UNSUPPORTED", message, { what: "agentSessionId" });
  }
  return undefined;
}

/** The refusal of a message that its agent could not be given with the session's own system text. */
export function refuseContent(
  deps: EngineDeps,
  about: SessionAbout,
  content: string,
): Result<never, Rejection> | undefined {
  const preset = deps.presets.get(about.agent);
  const refusal = preset && deps.drivers[about.driver]?.refusesPrompt?.(preset, { ...about, content });
  return refusal && err(refusal);
}

/** The mode of a session nobody chose one for: the configured one, else the least permissive that its agent offers. */
export function defaultMode(deps: EngineDeps, preset: Preset): PermissionMode {
  const { permissionMode } = deps.settings;
  const offered = offeredModes(preset);
  return offered.includes(permissionMode) ? permissionMode : (offered[0] ?? permissionMode);
}
