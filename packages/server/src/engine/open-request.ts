import type { Preset } from "@drover/core";
import type { OpenRequest, ProjectRow } from "../ports.ts";
import type { EngineDeps } from "./deps.ts";
import type { Journal } from "./journal.ts";

interface Requester {
  readonly journal: Journal;
  readonly deps: EngineDeps;
  project(): Promise<ProjectRow | undefined>;
}

interface Opening {
  readonly preset: Preset;
  readonly run: number;
  /** The process of this run is there already. */
  readonly attach: boolean;
  readonly signal: AbortSignal;
}

/** What a session asks of a driver when it opens a run of its agent, or finds one again. */
export async function openRequest(session: Requester, opening: Opening): Promise<OpenRequest> {
  const { deps, journal } = session;
  const { id, cwd, about, runtime } = journal.row;
  const { preset, run, attach, signal } = opening;
  const { startTimeoutMs, stopGraceMs } = deps.settings.supervision;
  const project = await session.project();
  return {
    sessionId: id,
    preset,
    cwd,
    directory: deps.runDirectory(id, run),
    env: deps.environment({ preset, sessionId: id, project: project?.env }),
    trusted: project?.trusted ?? false,
    ...(attach ? {} : { system: await systemText(session) }),
    ...(about.model ? { model: about.model } : {}),
    mcpServers: about.mcpServers ?? {},
    permissionMode: about.permissionMode,
    ...(runtime.agentSessionId ? { agentSessionId: runtime.agentSessionId } : {}),
    epoch: Date.now(),
    ...(attach && runtime.process ? { attach: { process: runtime.process, pending: runtime.pending } } : {}),
    startTimeoutMs,
    stopGraceMs,
    signal,
  };
}

/** Built anew for every process: where the agent is now, then what the session adds. */
async function systemText({ deps, journal }: Requester): Promise<string> {
  const { cwd, about } = journal.row;
  const context = await deps.context(cwd);
  return about.system ? `${context}\n\n${about.system}` : context;
}
