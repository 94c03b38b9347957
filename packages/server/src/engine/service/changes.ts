import { type ChangesQuery, ok, reject } from "@drover/core";
import {
  CheckpointError,
  type CheckpointedSession,
  type CheckpointPair,
  localWorkspace,
  type WorkspaceManager,
  type WorkspacePlace,
} from "../../ports.ts";
import type { Answer, Service } from "../../service.ts";
import { whileIdle } from "../checkpoints/change-files.ts";
import { checkpointsOf } from "../checkpoints/pairs.ts";
import { discardChanges, revertTurn } from "../checkpoints/revert-turn.ts";
import type { EngineContext } from "../context.ts";
import { directoryOf, refuseMissing } from "../directory.ts";
import { notFound } from "../not-found.ts";
import type { SessionActor } from "../session/actor.ts";
import { managerOf } from "../workspaces/manager-of.ts";
import { modeOf } from "./session-options.ts";

/** Names to complete what a person types before there is a session. */
export function pathsService({ deps, projects }: EngineContext): Service["paths"] {
  const find = async (cwd: string): Answer<string> => {
    const path = await deps.resolvePath(cwd, "cwd");
    if (!path.ok) return path;
    return (await refuseMissing(path.value, { given: cwd, field: "cwd" })) ?? path;
  };
  return {
    async workspace(cwd) {
      const path = await find(cwd);
      if (!path.ok) return path;
      const repository = await deps.repositoryTop(path.value);
      const workspace = modeOf(deps, {}, await projects.holder(path.value));
      return ok({ ...(repository === undefined ? {} : { repository }), workspace });
    },
    async files(cwd, query) {
      const path = await find(cwd);
      if (!path.ok) return path;
      const workspace = localWorkspace(path.value);
      return managerOf(deps, workspace).files({ workspace, cwd: path.value }, query);
    },
    async directories({ query, limit }) {
      const found = await deps.subdirectories(query, limit);
      return ok({ directories: found.map((path) => ({ path })) });
    },
  };
}

/** The state of a session's working copy, read again each time, since anyone may change files. */
export function changesService(
  context: EngineContext,
): Pick<Service["sessions"], "workspace" | "diff" | "fileLines" | "files" | "revert" | "discard" | "commit"> {
  const { deps, registry } = context;
  const find = async (idOrName: string): Answer<WorkspacePlace & { manager: WorkspaceManager }> => {
    const row = await registry.row(idOrName);
    if (!row) return notFound("session", idOrName);
    const cwd = await directoryOf(row, deps);
    if (!cwd.ok) return cwd;
    return ok({ workspace: row.workspace, cwd: cwd.value, manager: managerOf(deps, row.workspace) });
  };
  const findActor = async (idOrName: string): Answer<{ actor: SessionActor; cwd: string }> => {
    const actor = await registry.find(idOrName);
    if (!actor || actor.isBeingDeleted) return notFound("session", idOrName);
    const cwd = await directoryOf(actor.journal.row, deps);
    return cwd.ok ? ok({ actor, cwd: cwd.value }) : cwd;
  };
  async function compared<T>(
    idOrName: string,
    query: ChangesQuery,
    compare: (session: CheckpointedSession, pair: CheckpointPair) => Answer<T>,
  ): Answer<T> {
    const actor = await registry.find(idOrName);
    if (!actor) return notFound("session", idOrName);
    try {
      const pair = await checkpointsOf(context, actor, query);
      return pair.ok ? await compare(actor.turns.checkpointer.session, pair.value) : pair;
    } catch (error) {
      if (!(error instanceof CheckpointError)) throw error;
      const code = error.reason === "timeout" ? "REQUEST_TIMEOUT" : "UNSUPPORTED";
      return reject(code, `The changes cannot be compared: ${error.message}; try again`, { what: "diff" });
    }
  }
  return {
    async workspace(idOrName, query) {
      const place = await find(idOrName);
      if (!place.ok) return place;
      const { manager, cwd, workspace } = place.value;
      const where = { mode: workspace.mode, path: cwd };
      if (isOfWorkspace(query)) {
        const found = await manager.changes(place.value);
        return found.ok ? ok({ ...where, ...found.value }) : found;
      }
      return compared(idOrName, query, async (session, pair) => {
        const files = await deps.checkpoints.compare(session, pair);
        return ok({ ...where, base: pair.before, versioned: true, files: [...files] });
      });
    },
    async diff(idOrName, { path: file, ...query }) {
      const place = await find(idOrName);
      if (!place.ok) return place;
      if (isOfWorkspace(query)) return place.value.manager.diff(place.value, file);
      return compared(idOrName, query, (session, pair) =>
        deps.checkpoints.diff(session, { ...pair, path: file }),
      );
    },
    async revert(idOrName, input) {
      const found = await findActor(idOrName);
      return found.ok ? revertTurn(found.value.actor, input) : found;
    },
    async discard(idOrName, input) {
      const found = await findActor(idOrName);
      return found.ok ? discardChanges(found.value.actor, input) : found;
    },
    async commit(idOrName, input) {
      const found = await findActor(idOrName);
      if (!found.ok) return found;
      const { actor, cwd } = found.value;
      const { workspace } = actor.journal.row;
      return whileIdle(actor, "commit", () => managerOf(deps, workspace).commit({ workspace, cwd }, input));
    },
    async fileLines(idOrName, { turn, against, with: other, ...range }) {
      const place = await find(idOrName);
      if (!place.ok) return place;
      const query = { turn, against, with: other };
      if (isOfWorkspace(query)) return place.value.manager.fileLines(place.value, range);
      return compared(idOrName, query, (session, pair) =>
        deps.checkpoints.fileLines(session, { ...pair, range }),
      );
    },
    async files(idOrName, query) {
      const place = await find(idOrName);
      return place.ok ? place.value.manager.files(place.value, query) : place;
    },
  };
}

const isOfWorkspace = ({ turn, against = "head", with: other }: ChangesQuery): boolean =>
  turn === undefined && other === undefined && against === "head";
