import { ok } from "@drover/core";
import { localWorkspace, type WorkspaceManager, type WorkspacePlace } from "../../ports.ts";
import type { Answer, Service } from "../../service.ts";
import type { EngineContext } from "../context.ts";
import { directoryOf, refuseMissing } from "../directory.ts";
import { notFound } from "../not-found.ts";
import { managerOf } from "../workspaces/manager-of.ts";

/** Names to complete what a person types before there is a session. */
export function pathsService({ deps }: EngineContext): Service["paths"] {
  return {
    async files(cwd, query) {
      const path = await deps.resolvePath(cwd, "cwd");
      if (!path.ok) return path;
      const missing = await refuseMissing(path.value, { given: cwd, field: "cwd" });
      if (missing) return missing;
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
): Pick<Service["sessions"], "workspace" | "diff" | "fileLines" | "files"> {
  const { deps, registry } = context;
  const find = async (idOrName: string): Answer<WorkspacePlace & { manager: WorkspaceManager }> => {
    const row = await registry.row(idOrName);
    if (!row) return notFound("session", idOrName);
    const cwd = await directoryOf(row, deps);
    if (!cwd.ok) return cwd;
    return ok({ workspace: row.workspace, cwd: cwd.value, manager: managerOf(deps, row.workspace) });
  };
  return {
    async workspace(idOrName) {
      const place = await find(idOrName);
      if (!place.ok) return place;
      const { manager, cwd, workspace } = place.value;
      const found = await manager.changes(place.value);
      return found.ok ? ok({ mode: workspace.mode, path: cwd, ...found.value }) : found;
    },
    async diff(idOrName, file) {
      const place = await find(idOrName);
      return place.ok ? place.value.manager.diff(place.value, file) : place;
    },
    async fileLines(idOrName, query) {
      const place = await find(idOrName);
      return place.ok ? place.value.manager.fileLines(place.value, query) : place;
    },
    async files(idOrName, query) {
      const place = await find(idOrName);
      return place.ok ? place.value.manager.files(place.value, query) : place;
    },
  };
}
