import { Fault, openCalls, type Preset, type Timeline, withTrust } from "@drover/core";
import type { OpenRequest, ProcessRecord, ProjectRow, SessionRuntime } from "../../ports.ts";
import { variablesOf } from "../accounts/variables.ts";
import { directoryOf } from "../directory.ts";
import type { SessionLog } from "../session/log.ts";
import { prepareWorker } from "../workers/prepare.ts";
import { systemTextOf } from "../workers/system-text.ts";
import { claimPorts } from "../workspaces/claim-ports.ts";
import { managerOf } from "../workspaces/manager-of.ts";

export interface Requester {
  readonly log: SessionLog;
  /** The current project: people change its trust and its environment. */
  project(): Promise<ProjectRow | undefined>;
}

interface Opening {
  readonly preset: Preset;
  readonly run: number;
  /** The process of this run already exists. */
  readonly attach: boolean;
  readonly prompt: OpenRequest["prompt"] | undefined;
  readonly isGated: boolean;
  /** Starts a new conversation, although the session has one. */
  readonly beginsConversation: boolean;
  readonly signal: AbortSignal;
}

/** What a session asks of a driver to open a run of its agent, or to attach to one. */
export async function openRequest(session: Requester, opening: Opening): Promise<OpenRequest> {
  const { deps, journal } = session.log;
  const { run, attach, prompt, isGated, beginsConversation, signal } = opening;
  if (!attach) {
    await requireDirectory(session.log);
    await claimPorts(session.log);
    await prepareWorker(session.log, run);
  }
  const { id, cwd, workspace, about, runtime } = journal.row;
  const { startTimeoutMs, stopGraceMs } = deps.settings.supervision;
  const project = await session.project();
  const trusted = project?.trusted ?? false;
  const preset = withTrust(opening.preset, trusted);
  // A process that exists has its account already.
  const account = attach ? undefined : await variablesOf(deps, preset, runtime.account);
  const env = deps.environment({ preset, sessionId: id, project: project?.env, workspace, account });
  return {
    sessionId: id,
    preset: attach ? preset : await deps.locate(preset, env),
    cwd,
    directory: deps.runDirectory(id, run),
    env,
    trusted,
    ...systemTextOf(deps, about),
    ...(about.instructions ? { instructions: about.instructions } : {}),
    ...(attach ? {} : await workspaceContext(session.log)),
    ...(prompt ? { prompt } : {}),
    ...(about.model ? { model: about.model } : {}),
    mcpServers: about.mcpServers ?? {},
    permissionMode: about.permissionMode,
    ...(isGated ? { isGated } : {}),
    ...(runtime.agentSessionId && !beginsConversation ? { agentSessionId: runtime.agentSessionId } : {}),
    epoch: Date.now(),
    ...(attach && runtime.process ? { attach: attachment(runtime, runtime.process, journal.timeline) } : {}),
    startTimeoutMs,
    stopGraceMs,
    signal,
  };
}

/** Rejects with a Fault if an agent cannot work there. */
export async function requireDirectory({ deps, journal }: SessionLog): Promise<void> {
  const { cwd, workspace } = journal.row;
  const found = await directoryOf({ cwd }, deps);
  if (!found.ok) throw new Fault("WORKSPACE_MISSING", found.error.message, { facts: { cwd } });
  if (workspace.mode === "local") return;
  const condition = await managerOf(deps, workspace).inspect(journal.row);
  if (condition.state !== "ready")
    throw new Fault("WORKSPACE_MISSING", condition.message, { facts: { cwd } });
  if (journal.row.runtime.restoring) {
    const message = `The worktree ${workspace.path} does not have all its files yet; resume the session to finish it`;
    throw new Fault("WORKSPACE_MISSING", message, { facts: { cwd } });
  }
}

/** What the earlier server recorded about the process. */
const attachment = ({ pending, attempt }: SessionRuntime, process: ProcessRecord, timeline: Timeline) => ({
  ...{ process, pending, calls: openCalls(timeline) },
  ...(attempt?.prompt.phase === "writing" ? { isPromptTorn: true as const } : {}),
  ...(attempt?.prompt.steers ? { steered: attempt.prompt.steers.map(({ messageId }) => messageId) } : {}),
});

/** Read again for every process. */
async function workspaceContext({
  deps,
  journal,
}: SessionLog): Promise<Pick<OpenRequest, "context" | "isRepository">> {
  const { text: context, isRepository } = await deps.context(journal.row);
  return { context, isRepository };
}
