import { Fault, openCalls, type Preset, type Timeline, withTrust } from "@drover/core";
import type { OpenRequest, ProcessRecord, ProjectRow, SessionRuntime } from "../../ports.ts";
import { directoryOf } from "../directory.ts";
import type { SessionLog } from "../session/log.ts";

export interface Requester {
  readonly log: SessionLog;
  /** As it is now: people change what a project trusts and adds to the environment. */
  project(): Promise<ProjectRow | undefined>;
}

interface Opening {
  readonly preset: Preset;
  readonly run: number;
  /** The process of this run is there already. */
  readonly attach: boolean;
  readonly prompt: OpenRequest["prompt"] | undefined;
  /** In a conversation of its own, whichever the session had. */
  readonly isAnew: boolean;
  readonly signal: AbortSignal;
}

/** What a session asks of a driver when it opens a run of its agent, or finds one again. */
export async function openRequest(session: Requester, opening: Opening): Promise<OpenRequest> {
  const { deps, journal } = session.log;
  const { id, cwd, about, runtime } = journal.row;
  const { run, attach, prompt, isAnew, signal } = opening;
  if (!attach) await requireDirectory(session.log);
  const { startTimeoutMs, stopGraceMs } = deps.settings.supervision;
  const project = await session.project();
  const trusted = project?.trusted ?? false;
  const preset = withTrust(opening.preset, trusted);
  const env = deps.environment({ preset, sessionId: id, project: project?.env });
  return {
    sessionId: id,
    preset: attach ? preset : await deps.locate(preset, env),
    cwd,
    directory: deps.runDirectory(id, run),
    env,
    trusted,
    ...(about.system ? { system: about.system } : {}),
    ...(about.instructions ? { instructions: about.instructions } : {}),
    ...(attach ? {} : await whereabouts(session.log)),
    ...(prompt ? { prompt } : {}),
    ...(about.model ? { model: about.model } : {}),
    mcpServers: about.mcpServers ?? {},
    permissionMode: about.permissionMode,
    ...(runtime.agentSessionId && !isAnew ? { agentSessionId: runtime.agentSessionId } : {}),
    epoch: Date.now(),
    ...(attach && runtime.process ? { attach: left(runtime, runtime.process, journal.timeline) } : {}),
    startTimeoutMs,
    stopGraceMs,
    signal,
  };
}

async function requireDirectory({ deps, journal }: SessionLog): Promise<void> {
  const { cwd } = journal.row;
  const found = await directoryOf({ cwd }, deps);
  if (!found.ok) throw new Fault("WORKSPACE_MISSING", found.error.message, { facts: { cwd } });
}

const left = ({ pending, prompt }: SessionRuntime, process: ProcessRecord, timeline: Timeline) => ({
  ...{ process, pending, calls: openCalls(timeline) },
  ...(prompt?.phase === "writing" ? { isPromptTorn: true as const } : {}),
  ...(prompt?.steers ? { steered: prompt.steers.map(({ messageId }) => messageId) } : {}),
});

/** Looked up anew for every process. */
async function whereabouts({
  deps,
  journal,
}: SessionLog): Promise<Pick<OpenRequest, "context" | "isRepository">> {
  const { text: context, isRepository } = await deps.context(journal.row.cwd);
  return { context, isRepository };
}
