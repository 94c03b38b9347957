import {
  type Capabilities,
  isUnread,
  lineOf,
  offeredModes,
  permissionModes,
  restingConnection,
  type Session,
} from "@drover/core";
import type { SessionAbout, SessionRow, SessionWorkspace } from "../../ports.ts";
import type { EngineDeps } from "../deps.ts";

/** A session as every face shows it. */
export function sessionView(
  deps: EngineDeps,
  row: SessionRow,
  connection = restingConnection(row.state, deps.settings.supervision),
): Session {
  const { about, runtime, state } = row;
  const { turn } = state;
  return {
    id: row.id,
    name: row.name,
    title: about.title,
    kind: about.kind,
    agent: about.agent,
    driver: about.driver,
    state: row.stateName,
    ...(state.reason ? { reason: state.reason } : {}),
    archived: row.archived,
    cwd: row.cwd,
    ...(about.projectId ? { projectId: about.projectId } : {}),
    workspace: workspaceView(row.workspace),
    permissionMode: about.permissionMode,
    ...modesOf(deps, about),
    ...(state.model || about.model ? { model: state.model ?? about.model } : {}),
    ...(state.agentMode ? { agentMode: state.agentMode } : {}),
    ...accountOf(row),
    ...(runtime.agentSessionId ? { agentSessionId: runtime.agentSessionId } : {}),
    run: runtime.run,
    connection,
    ...(turn
      ? {
          turn: { id: turn.id, messageId: turn.messageId, startedAt: turn.startedAt },
          lock: { lockedBy: turn.lockedBy, lockedAt: turn.startedAt },
        }
      : {}),
    ...(state.lastTurn ? { lastTurn: state.lastTurn } : {}),
    ...(isUnread(state, row.seenSeq) ? { unread: true as const } : {}),
    queued: state.queue.length,
    queuePaused: state.queuePaused,
    openInteractions: state.interactions.length,
    usage: state.usage,
    ...(state.review ? { review: state.review } : {}),
    ...(about.worker ? { worker: workerView(about.worker, state) } : {}),
    capabilities: {
      ...capabilitiesIn(deps, row),
      // More accurate than what its driver says.
      ...(runtime.resumes === undefined ? {} : { resume: runtime.resumes }),
      ...(runtime.images === undefined ? {} : { images: runtime.images }),
    },
    lastSeq: state.lastSeq,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}

function workerView(about: NonNullable<SessionAbout["worker"]>, { worker, review }: SessionRow["state"]) {
  const { head: _, said, ...progress } = worker ?? { tries: 0 };
  const { ahead: commits, files, added, removed } = review ?? {};
  const isKnown =
    commits !== undefined && files !== undefined && added !== undefined && removed !== undefined;
  return {
    ...about,
    ...progress,
    ...(said ? { lastLine: lineOf(said) } : {}),
    ...(isKnown ? { changes: { commits, files, added, removed } } : {}),
  };
}

/** The account that a person chose takes effect with the next turn. */
function accountOf({ about, runtime }: SessionRow): Pick<Session, "account" | "isAccountFixed"> {
  if (about.account !== undefined) return { account: about.account, isAccountFixed: true };
  return runtime.account === undefined ? {} : { account: runtime.account };
}

/** Clients don't see where the repository keeps its files. */
function workspaceView(workspace: SessionWorkspace): Session["workspace"] {
  const { repository: _, isNewBranch: _made, ports, ...shown } = workspace;
  return { ...shown, ...(ports ? { ports: [...ports] } : {}) };
}

function modesOf({ presets }: EngineDeps, { agent }: SessionAbout): Pick<Session, "modes"> {
  const preset = presets.get(agent);
  const offered = preset ? offeredModes(preset) : permissionModes;
  return offered.length < permissionModes.length ? { modes: [...offered] } : {};
}

/** What the session's agent can do where it works: files that are not in a worktree are the user's own. */
export function capabilitiesIn(
  deps: EngineDeps,
  { about, workspace }: Pick<SessionRow, "about" | "workspace">,
): Capabilities {
  const capabilities = capabilitiesOf(deps, about);
  if (capabilities.approvals !== "gate" || workspace.mode === "worktree") return capabilities;
  return { ...capabilities, approvals: "none" };
}

/** What the session's agent can do; nothing if it is no longer configured. */
export function capabilitiesOf(deps: EngineDeps, about: SessionAbout): Capabilities {
  const preset = deps.presets.get(about.agent);
  return (preset && deps.drivers[about.driver]?.capabilities(preset)) ?? unconfigured;
}

const unconfigured: Capabilities = {
  approvals: "none",
  amend: false,
  denyReason: false,
  steer: false,
  images: false,
  resume: false,
  fork: false,
  freshContext: false,
  systemText: "prompt",
  reattach: false,
  heldByMode: true,
  completion: "event",
};
