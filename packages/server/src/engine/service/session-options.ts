import {
  err,
  offeredModes,
  type PermissionMode,
  type Preset,
  type Rejection,
  type Result,
  reject,
  type WorkspaceMode,
  withFiles,
} from "@drover/core";
import type { ProjectRow, Prompt, SessionRow } from "../../ports.ts";
import type { EngineDeps } from "../deps.ts";
import { capabilitiesOf } from "../session/view.ts";
import { systemTextOf } from "../workers/system-text.ts";

/** The options a person may set when a session is created or changed. */
export interface SessionOptions {
  readonly permissionMode?: PermissionMode | undefined;
  readonly model?: string | undefined;
  readonly mcpServers?: Readonly<Record<string, unknown>> | undefined;
  readonly agentSessionId?: string | undefined;
}

/** Rejects options the agent does not support; undefined if it supports all of them. */
export function refuseOptions(
  deps: EngineDeps,
  preset: Preset,
  options: SessionOptions,
): Result<never, Rejection> | undefined {
  const { permissionMode } = options;
  const offered = offeredModes(preset);
  if (permissionMode !== undefined && !offered.includes(permissionMode)) {
    const message = `${preset.name} has no mode "${permissionMode}"; choose one of: ${offered.join(", ")}`;
    return reject("UNSUPPORTED", message, { what: `permissionMode ${permissionMode}` });
  }
  const lacks = deps.drivers[preset.driver]?.lacks(preset) ?? [];
  if (options.model !== undefined && lacks.includes("model")) {
    const message = `${preset.name} takes no model from Drover; choose it in its own settings`;
    return reject("UNSUPPORTED", message, { what: "model" });
  }
  if (Object.keys(options.mcpServers ?? {}).length > 0 && lacks.includes("mcpServers")) {
    const message = `${preset.name} takes no MCP servers from Drover; add them to its own settings`;
    return reject("UNSUPPORTED", message, { what: "mcpServers" });
  }
  if (options.agentSessionId !== undefined && !deps.drivers[preset.driver]?.capabilities(preset).resume) {
    const message = `${preset.name} cannot resume a conversation; start a session without agentSessionId`;
    return reject("UNSUPPORTED", message, { what: "agentSessionId" });
  }
  return undefined;
}

/**
 * Rejects a message that its agent could not take together with the session's system text, and images that it would
 * never see. Text files count as part of the message, because that is how many agents get them.
 */
export function refuseMessage(
  deps: EngineDeps,
  { about, runtime }: Pick<SessionRow, "about" | "runtime">,
  { content: text, images = [], files }: Prompt,
): Result<never, Rejection> | undefined {
  const preset = deps.presets.get(about.agent);
  const content = withFiles(text, files);
  const refusal =
    preset &&
    deps.drivers[about.driver]?.refusesPrompt?.(preset, { ...about, ...systemTextOf(deps, about), content });
  if (refusal) return err(refusal);
  if (images.length === 0 || (runtime.images ?? capabilitiesOf(deps, about).images)) return undefined;
  const name = preset?.name ?? about.agent;
  const message = `${name} can't take images; save them in the workspace and mention them with @`;
  return reject("UNSUPPORTED", message, { what: "images" });
}

/** The workspace that a new session gets: as requested, else the project's, else the server's default. */
export const modeOf = (
  { settings }: Pick<EngineDeps, "settings">,
  { workspace }: { readonly workspace?: WorkspaceMode | undefined },
  project: ProjectRow | undefined,
): WorkspaceMode => workspace ?? project?.workspace ?? settings.workspace;

/** The mode of a session created without one: the configured mode, else the strictest that its agent offers. */
export function defaultMode(deps: EngineDeps, preset: Preset): PermissionMode {
  const { permissionMode } = deps.settings;
  const offered = offeredModes(preset);
  return offered.includes(permissionMode) ? permissionMode : (offered[0] ?? permissionMode);
}
