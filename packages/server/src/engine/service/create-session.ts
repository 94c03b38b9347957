import {
  type CreateSession,
  emptyState,
  makeName,
  mergeSystem,
  ok,
  type Rejection,
  type Result,
  reject,
  type Session,
  type WorkspaceMode,
} from "@drover/core";
import {
  type Intent,
  localWorkspace,
  type NewSession,
  type SessionAbout,
  type SessionRow,
  type Sessions,
  StoreError,
} from "../../ports.ts";
import type { Answer } from "../../service.ts";
import { refuseAccount } from "../accounts/refuse.ts";
import type { EngineContext } from "../context.ts";
import { refuseMissing } from "../directory.ts";
import { newId, random32 } from "../ids.ts";
import { sessionView } from "../session/view.ts";
import { defaultMode, modeOf, refuseOptions } from "./session-options.ts";

interface Draft {
  readonly row: SessionRow;
  /** The workspace it is going to get. */
  readonly mode: WorkspaceMode;
}

/** The row of a new session, or why it cannot be created. Nothing is stored or started. */
export async function draftSession(
  context: EngineContext,
  input: CreateSession,
): Promise<Result<Draft, Rejection>> {
  const { deps, projects } = context;
  const preset = deps.presets.get(input.agent);
  if (!preset || !deps.drivers[preset.driver]) {
    const allowed = [...deps.presets.keys()];
    return reject(
      "UNSUPPORTED_CLI",
      `There is no agent "${input.agent}"; use one of: ${allowed.join(", ")}`,
      {
        allowed,
      },
    );
  }
  const refused =
    refuseUnsupported(input) ??
    refuseOptions(deps, preset, input) ??
    (await refuseAccount(deps, preset, input.account));
  if (refused) return refused;
  const cwd = await deps.resolvePath(input.cwd, "cwd");
  if (!cwd.ok) return cwd;
  const noDirectory = await refuseMissing(cwd.value, { given: input.cwd, field: "cwd" });
  if (noDirectory) return noDirectory;
  const mode = modeOf(deps, input, await projects.holder(cwd.value));
  const wrongMode = refuseUnsupported({ workspace: mode }) ?? refuseBase(input, mode);
  if (wrongMode) return wrongMode;
  const system = await systemText(deps, preset, input);
  if (!system.ok) return system;
  const project = await projects.holding(cwd.value);
  const { title = "", permissionMode = defaultMode(deps, preset), model, account, mcpServers } = input;
  const row = await freshRow(deps.store, {
    cwd: cwd.value,
    workspace: localWorkspace(cwd.value),
    about: {
      title,
      kind: "session",
      agent: preset.agent,
      driver: preset.driver,
      permissionMode,
      ...(model ? { model } : {}),
      ...(account ? { account } : {}),
      ...system.value,
      ...(mcpServers ? { mcpServers } : {}),
      grants: [],
      ...(project ? { projectId: project.id } : {}),
    },
    ...(input.name ? { name: input.name } : {}),
  });
  const { agentSessionId } = input;
  return ok({
    row: agentSessionId ? { ...row, runtime: { ...row.runtime, agentSessionId } } : row,
    mode,
  });
}

/** A session in which nothing has happened yet; a name is generated if none is given. */
export async function freshRow(
  store: Pick<Sessions, "isNameTaken">,
  { name, ...given }: Pick<SessionRow, "cwd" | "workspace" | "about"> & { readonly name?: string },
): Promise<SessionRow> {
  const now = new Date().toISOString();
  return {
    id: newId("session"),
    name: name ?? (await freshName(store)),
    ...given,
    createdAt: now,
    updatedAt: now,
    archived: false,
    runtime: { run: 0, pending: {}, stopping: false },
    state: emptyState,
    stateName: "idle",
    live: false,
    openFrom: 1,
    seenSeq: 0,
  };
}

interface Storing {
  readonly intent: Intent | undefined;
  /** The name a person chose. A generated name is replaced if it is taken in the meantime. */
  readonly name?: string | undefined;
}

/** Stores a new session together with its answer, and announces it. */
export async function storeSession(
  { deps, bus }: EngineContext,
  created: NewSession,
  { intent, name }: Storing,
): Answer<Session> {
  for (let { row } = created; ; row = { ...row, name: await freshName(deps.store) }) {
    const session = sessionView(deps, row);
    const answered = intent && { receipt: { ...intent, answer: JSON.stringify(session) } };
    try {
      await deps.store.create({ ...created, row, ...answered }, deps.node);
    } catch (error) {
      if (!(error instanceof StoreError) || error.code !== "NAME_TAKEN") throw error;
      if (name === undefined) continue;
      return reject("NAME_TAKEN", `Another session is called ${name}; choose another name`);
    }
    bus.news();
    return ok(session);
  }
}

/** Only a worktree has a base and a branch. */
function refuseBase(input: CreateSession, mode: WorkspaceMode): Result<never, Rejection> | undefined {
  const key = (["base", "reattach"] as const).find((one) => input[one] !== undefined);
  if (key === undefined || mode === "worktree") return undefined;
  const message = `"${key}" is for worktrees only; add workspace: "worktree", or omit it`;
  return reject("BAD_REQUEST", message, { issues: [{ path: key, message }] });
}

const laterKeys = ["tools", "network"] as const;

/** Abilities in the wire contract that this version does not have yet. */
function refuseUnsupported(input: Partial<CreateSession>): Result<never, Rejection> | undefined {
  const refuse = (what: string, advice: string) => reject("UNSUPPORTED", advice, { what });
  const { workspace, confined } = input;
  if (workspace === "container")
    return refuse(workspace, "A container is not supported by this version yet; use a worktree");
  if (confined) return refuse("confined", "This version cannot confine agents yet; omit it");
  const key = laterKeys.find((one) => input[one] !== undefined);
  return key && refuse(key, `This version does not support "${key}" for sessions yet; omit it`);
}

type SystemText = Pick<CreateSession, "system" | "instructionFile">;

/**
 * The instructions for the agent in every session, then those for this one, each text once. Files are read here and
 * never again: the session keeps their text. If one cannot be read, no session is created.
 */
async function systemText(
  { readInstructions }: EngineContext["deps"],
  preset: SystemText,
  input: SystemText,
): Promise<Result<Pick<SessionAbout, "system" | "instructions">, Rejection>> {
  const files = new Map<string, "request" | "configuration">();
  if (preset.instructionFile) files.set(preset.instructionFile, "configuration");
  if (input.instructionFile && !files.has(input.instructionFile)) files.set(input.instructionFile, "request");
  const texts: string[] = [];
  for (const [file, namedBy] of files) {
    const text = await readInstructions(file, namedBy);
    if (!text.ok) return text;
    texts.push(text.value);
  }
  const system = mergeSystem(...new Set([preset.system ?? "", input.system ?? ""]));
  const instructions = mergeSystem(...texts);
  return ok({ ...(system ? { system } : {}), ...(instructions ? { instructions } : {}) });
}

export async function freshName(store: Pick<Sessions, "isNameTaken">): Promise<string> {
  for (let refused = 0; ; refused++) {
    const name = makeName(random32, refused);
    if (!(await store.isNameTaken(name))) return name;
  }
}
