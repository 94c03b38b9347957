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
} from "@drover/core";
import {
  type Intent,
  type NewSession,
  type SessionAbout,
  type SessionRow,
  type Sessions,
  StoreError,
} from "../../ports.ts";
import type { Answer } from "../../service.ts";
import type { EngineContext } from "../context.ts";
import { refuseMissing } from "../directory.ts";
import { newId, random32 } from "../ids.ts";
import { sessionView } from "../session/view.ts";
import { defaultMode, refuseWishes } from "./session-options.ts";

/** A new session's row, or why there cannot be one. Nothing is stored or started. */
export async function draftSession(
  { deps, projects }: EngineContext,
  input: CreateSession,
): Promise<Result<SessionRow, Rejection>> {
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
  const missing = unsupported({ ...input, workspace: input.workspace ?? deps.settings.workspace });
  if (missing) return reject("UNSUPPORTED", missing.advice, { what: missing.what });
  const refused = refuseWishes(deps, preset, input);
  if (refused) return refused;
  const cwd = await deps.resolvePath(input.cwd, "cwd");
  if (!cwd.ok) return cwd;
  const noDirectory = await refuseMissing(cwd.value, { given: input.cwd, field: "cwd" });
  if (noDirectory) return noDirectory;
  const system = await systemText(deps, preset, input);
  if (!system.ok) return system;
  const project = await projects.holding(cwd.value);
  const { title = "", permissionMode = defaultMode(deps, preset), model, mcpServers } = input;
  const row = await freshRow(deps.store, {
    cwd: cwd.value,
    about: {
      title,
      kind: "session",
      agent: preset.agent,
      driver: preset.driver,
      permissionMode,
      ...(model ? { model } : {}),
      ...system.value,
      ...(mcpServers ? { mcpServers } : {}),
      grants: [],
      ...(project ? { projectId: project.id } : {}),
    },
    ...(input.name ? { name: input.name } : {}),
  });
  const { agentSessionId } = input;
  return ok(agentSessionId ? { ...row, runtime: { ...row.runtime, agentSessionId } } : row);
}

/** A session in which nothing has happened; a name is made up when none is given. */
export async function freshRow(
  store: Pick<Sessions, "isNameTaken">,
  { name, cwd, about }: Pick<SessionRow, "cwd" | "about"> & { readonly name?: string },
): Promise<SessionRow> {
  const now = new Date().toISOString();
  return {
    id: newId("session"),
    name: name ?? (await freshName(store)),
    cwd,
    createdAt: now,
    updatedAt: now,
    archived: false,
    about,
    runtime: { run: 0, pending: {}, stopping: false },
    state: emptyState,
    stateName: "idle",
    live: false,
    openFrom: 1,
  };
}

interface Storing {
  readonly intent: Intent | undefined;
  /** The name a person chose. Any other was made up, and is made up again when somebody was quicker with it. */
  readonly name?: string | undefined;
}

/** Stores a session as it begins, and the answer with it, and tells of it. */
export async function storeSession(
  { deps, bus }: EngineContext,
  begun: NewSession,
  { intent, name }: Storing,
): Answer<Session> {
  for (let { row } = begun; ; row = { ...row, name: await freshName(deps.store) }) {
    const session = sessionView(deps, row);
    const answered = intent && { receipt: { ...intent, answer: JSON.stringify(session) } };
    try {
      await deps.store.create({ ...begun, row, ...answered }, deps.node);
    } catch (error) {
      if (!(error instanceof StoreError) || error.code !== "NAME_TAKEN") throw error;
      if (name === undefined) continue;
      return reject("NAME_TAKEN", `Another session is called ${name}; choose another name`);
    }
    bus.news();
    return ok(session);
  }
}

const laterKeys = ["base", "reattach", "tools", "network"] as const;

/** Abilities the wire names that a later capability brings. */
function unsupported(input: CreateSession): { what: string; advice: string } | undefined {
  const { workspace = "local", confined, account } = input;
  if (workspace !== "local") {
    return { what: workspace, advice: `A ${workspace} is no workspace of this version yet; local is` };
  }
  if (confined) return { what: "confined", advice: "This version cannot confine an agent yet; leave it out" };
  if (account) {
    return { what: "account", advice: "This version has no accounts yet: agents use their own login" };
  }
  const key = laterKeys.find((one) => input[one] !== undefined);
  return key && { what: key, advice: `This version does not know "${key}" of a session yet; leave it out` };
}

type SystemText = Pick<CreateSession, "system" | "instructionFile">;

/**
 * What the agent is told in every session, then what it is told in this one, each text once. Files are read here and
 * never again: the session keeps their text. One that cannot be read starts nothing.
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

async function freshName(store: Pick<Sessions, "isNameTaken">): Promise<string> {
  for (let refused = 0; ; refused++) {
    const name = makeName(random32, refused);
    if (!(await store.isNameTaken(name))) return name;
  }
}
