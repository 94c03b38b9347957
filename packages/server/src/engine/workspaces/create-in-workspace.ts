import { basename } from "node:path";
import {
  type CreateSession,
  type Rejection,
  type Result,
  reject,
  type Session,
  type WorkspaceMode,
} from "@drover/core";
import type { CheckpointedSession, Intent, MadeWorkspace, NewSession, SessionRow } from "../../ports.ts";
import type { Answer } from "../../service.ts";
import type { EngineContext } from "../context.ts";
import { beginWith, type Unnumbered, withNotices } from "../conversations/begin-with-past.ts";
import { settlePending } from "../removal/pending.ts";
import { freshName, storeSession } from "../service/create-session.ts";
import { managerOf } from "./manager-of.ts";

interface Creation {
  readonly input: CreateSession;
  readonly mode: WorkspaceMode;
  readonly intent: Intent | undefined;
  /** What its log begins with. */
  readonly past?: readonly Unnumbered[];
  /** Completes the new session before it is stored. */
  readonly begin?: (session: NewSession) => NewSession;
  /** Puts other files into the new workspace. */
  readonly fill?: (session: CheckpointedSession) => Answer<unknown>;
}

/** Makes the workspace of a new session and stores the session. If either fails, nothing of them is left. */
export async function createInWorkspace(
  context: EngineContext,
  draft: SessionRow,
  creation: Creation,
): Answer<Session> {
  const refused = refuse(creation.input);
  if (refused) return refused;
  const isNamed = creation.input.name !== undefined;
  for (let row = draft; ; row = { ...row, name: await freshName(context.deps.store) }) {
    const created = await attempt(context, row, creation);
    if (created.ok || isNamed || !isNameRefused(created.error, row.name)) return created;
  }
}

/** A generated name is replaced if a session, a branch or a directory has taken it in the meantime. */
const isNameRefused = ({ code, facts }: Rejection, name: string): boolean =>
  code === "NAME_TAKEN" || (facts?.["reason"] === "path_taken" && basename(String(facts["path"])) === name);

async function attempt(
  context: EngineContext,
  row: SessionRow,
  { input, mode, intent, past = [], begin = (session) => session, fill }: Creation,
): Answer<Session> {
  const { deps, projects } = context;
  const { id, name } = row;
  if (await deps.store.isNameTaken(name)) {
    return reject("NAME_TAKEN", `Another session is called ${name}; choose another name`);
  }
  const manager = managerOf(deps, { mode });
  const project = await projects.current(row);
  const { base, reattach } = input;
  const wanted = { name, directory: row.cwd, base, reattach, trusted: project?.trusted ?? false };
  let made: Result<MadeWorkspace, Rejection>;
  try {
    made = await manager.create(wanted, (workspace) =>
      deps.store.savePendingWorkspace({ sessionId: id, workspace, isUnused: true }),
    );
  } catch (error) {
    await deps.store.removePendingWorkspace(id);
    throw error;
  }
  if (!made.ok) {
    await deps.store.removePendingWorkspace(id);
    return made;
  }
  const { workspace, cwd, isNew, notices } = made.value;
  // A worktree that was already there belongs to the user, or to another session.
  const discard = async () => {
    if (isNew) await settlePending(context, { sessionId: id, workspace, isUnused: true });
  };
  const runtime = { ...row.runtime, ...(isNew && project?.setup.length ? { setup: "due" as const } : {}) };
  // Files that come from elsewhere include what is uncommitted.
  const shown = fill ? notices.filter(({ code }) => code !== "BASE_DIRTY") : notices;
  const session = begin(withNotices(beginWith({ ...row, cwd, workspace, runtime }, past), shown));
  try {
    const filled = await fill?.({ sessionId: id, cwd });
    if (filled?.ok === false) {
      await discard();
      return filled;
    }
    const stored = await storeSession(context, session, { intent, name });
    if (!stored.ok) await discard();
    return stored;
  } catch (error) {
    await discard();
    throw error;
  }
}

function refuse({ agentSessionId, reattach, name }: CreateSession): Result<never, Rejection> | undefined {
  if (agentSessionId !== undefined) {
    const message = "A conversation belongs to the directory it began in; continue it in a local workspace";
    return reject("UNSUPPORTED", message, { what: "agentSessionId" });
  }
  if (reattach && name === undefined) {
    const message = "Name the branch to continue: `name` is the part after drover/";
    return reject("BAD_REQUEST", message, { issues: [{ path: "name", message }] });
  }
  return undefined;
}
