import { isDeepStrictEqual } from "node:util";
import { type Grant, modeRules, type PermissionMode } from "@drover/core";
import type { ProjectRow, SessionAbout, SessionRow } from "../../ports.ts";
import type { Wanted } from "../../service.ts";
import type { EngineContext } from "../context.ts";
import { managerOf } from "../workspaces/manager-of.ts";
import { defaultMode, modeOf } from "./session-options.ts";

/** From the strictest to the loosest. */
const order: readonly PermissionMode[] = ["plan", "ask", "acceptEdits", "never"];

/** Everything that lets one session do more than another without asking a person. */
interface Standing {
  readonly agent: string;
  readonly mode: PermissionMode;
  /** Its agent can ask before it acts. */
  readonly asks: boolean;
  /** Its agent uses a repository's settings whether or not people trust the project. */
  readonly usesUntrustedSettings: boolean;
  readonly project: ProjectRow | undefined;
  readonly grants: readonly Grant[];
  readonly mcpServers: SessionAbout["mcpServers"];
  /** It works in a worktree: people see what it changes before it is merged. */
  readonly isInWorktree: boolean;
  /** It would get a worktree, which writes to its project's repository. */
  readonly getsWorktree?: boolean;
  /** Its worktree is not set up yet: with its next turn, the project's setup commands run. */
  readonly isSetupDue?: boolean;
}

/**
 * Why a session's process may not do this: the result would be looser than its own session. A request for something
 * that does not exist, or cannot be created, is not looser: the operation itself rejects it.
 */
export async function whyLooser(
  context: EngineContext,
  sessionId: string,
  wanted: Wanted,
): Promise<string | undefined> {
  if (wanted.mcpServers !== undefined) return "only a person may choose MCP servers";
  if (wanted.account !== undefined) return "only a person may choose the account";
  if (wanted.agentSessionId !== undefined) return "only a person may take over a conversation";
  const row = await context.registry.row(sessionId);
  if (!row) return "this server has no such session";
  const own = { ...(await standingOfSession(context, row)), mode: boundMode(row.about) };
  const other = await standingOf(context, wanted);
  return other && difference(own, other);
}

async function standingOf(context: EngineContext, wanted: Wanted): Promise<Standing | undefined> {
  if (wanted.sessionId === undefined) return standingOfNew(context, wanted);
  const row = await context.registry.row(wanted.sessionId);
  if (!row) return undefined;
  const standing = await standingOfSession(context, row);
  const getsWorktree = wanted.workspace === "worktree";
  const isSetupDue = wanted.isToRun === true && (await isToBeSetUp(context, row));
  // A fork of a worker is no worker.
  const mode = wanted.permissionMode ?? (wanted.isToRun ? standing.mode : boundMode(row.about));
  return { ...standing, getsWorktree, isSetupDue, mode };
}

/** The mode that a session is held to: of a worker that only reads, Drover denies or puts back every edit. */
function boundMode({ permissionMode, worker }: SessionAbout): PermissionMode {
  const edits = !worker || modeRules[worker.mode].changesFiles;
  return edits || permissionMode === "plan" ? permissionMode : "ask";
}

/** A worktree that is gone will be set up when it is made again. */
async function isToBeSetUp({ deps }: EngineContext, row: SessionRow): Promise<boolean> {
  if (row.workspace.mode === "local") return false;
  const { setup, restoring } = row.runtime;
  if (setup !== undefined || restoring !== undefined) return true;
  return (await managerOf(deps, row.workspace).inspect(row)).state !== "ready";
}

async function standingOfSession(context: EngineContext, row: SessionRow): Promise<Standing> {
  const { agent, permissionMode: mode, grants, mcpServers } = row.about;
  const project = await context.projects.current(row);
  const isInWorktree = row.workspace.mode === "worktree";
  return { ...abilitiesOf(context, agent), mode, grants, mcpServers, isInWorktree, project };
}

async function standingOfNew(
  context: EngineContext,
  { agent, cwd, projectId, permissionMode, workspace }: Wanted,
): Promise<Standing | undefined> {
  const { deps, projects } = context;
  const preset = agent === undefined ? undefined : deps.presets.get(agent);
  const directory = cwd ?? (await projects.find(projectId))?.path;
  if (!preset || directory === undefined) return undefined;
  const resolved = await deps.resolvePath(directory, "cwd");
  if (!resolved.ok) return undefined;
  const project = await projects.holder(resolved.value);
  const getsWorktree = modeOf(deps, { workspace }, project) === "worktree";
  return {
    ...abilitiesOf(context, preset.agent),
    mode: permissionMode ?? defaultMode(deps, preset),
    project,
    grants: [],
    mcpServers: undefined,
    isInWorktree: getsWorktree,
    getsWorktree,
  };
}

/** An agent that is no longer configured counts as the loosest. */
function abilitiesOf(
  { deps }: EngineContext,
  agent: string,
): Pick<Standing, "agent" | "asks" | "usesUntrustedSettings"> {
  const preset = deps.presets.get(agent);
  const driver = preset && deps.drivers[preset.driver];
  if (!driver) return { agent, asks: false, usesUntrustedSettings: true };
  return {
    agent,
    asks: driver.capabilities(preset).approvals === "live",
    usesUntrustedSettings: driver.lacks(preset).includes("distrust"),
  };
}

function difference(own: Standing, other: Standing): string | undefined {
  if (order.indexOf(other.mode) > order.indexOf(own.mode)) {
    return `it would be in mode ${other.mode}, and your session is in mode ${own.mode}`;
  }
  const { project } = other;
  if (project && project.id !== own.project?.id) {
    if (project.trusted && !own.project?.trusted) return "its project is trusted, and yours is not";
    if (Object.keys(project.env).length > 0) return "its project has its own environment variables";
  }
  if (other.getsWorktree && project?.id !== own.project?.id) {
    return "it would get a worktree in another project than yours";
  }
  const servers = Object.entries(other.mcpServers ?? {});
  if (servers.some(([name, server]) => !isDeepStrictEqual(server, own.mcpServers?.[name]))) {
    return "it has MCP servers that your session does not have";
  }
  // This mode never asks anyway.
  if (own.mode === "never") return undefined;
  if (own.isInWorktree && !other.isInWorktree && other.mode === "acceptEdits") {
    return "it would edit files outside of a worktree without asking, and your session works in a worktree";
  }
  if ((other.getsWorktree || other.isSetupDue) && project && project.setup.length > 0) {
    return "its worktree would run the project's setup commands without asking";
  }
  if (other.agent !== own.agent && !other.asks) return `the agent ${other.agent} acts without asking`;
  if (other.usesUntrustedSettings && !own.usesUntrustedSettings && !project?.trusted) {
    return `the agent ${other.agent} uses a repository's settings even if its project is not trusted`;
  }
  if (other.grants.some((grant) => !own.grants.some((known) => isDeepStrictEqual(known, grant)))) {
    return "it was granted more than your session";
  }
  return undefined;
}
