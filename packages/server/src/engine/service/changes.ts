import { ok } from "@drover/core";
import type { Answer, Service } from "../../service.ts";
import type { EngineContext } from "../context.ts";
import { directoryOf, refuseMissing } from "../directory.ts";
import { notFound } from "../not-found.ts";

/** Names to complete what a person types before there is a session. */
export function pathsService({ deps }: EngineContext): Service["paths"] {
  return {
    async files(cwd, query) {
      const path = await deps.resolvePath(cwd, "cwd");
      if (!path.ok) return path;
      return (
        (await refuseMissing(path.value, { given: cwd, field: "cwd" })) ??
        deps.workspace.files(path.value, query)
      );
    },
    async directories({ query, limit }) {
      const found = await deps.subdirectories(query, limit);
      return ok({ directories: found.map((path) => ({ path })) });
    },
  };
}

/** The state of a session's working copy, read again each time, since anyone may change files. */
export function changesService({
  deps,
  registry,
}: EngineContext): Pick<Service["sessions"], "workspace" | "diff" | "fileLines" | "files"> {
  const find = async (idOrName: string): Answer<string> => {
    const row = await registry.row(idOrName);
    return row ? directoryOf(row, deps) : notFound("session", idOrName);
  };
  return {
    async workspace(idOrName) {
      const path = await find(idOrName);
      if (!path.ok) return path;
      const found = await deps.workspace.changes(path.value);
      return found.ok ? ok({ mode: "local", path: path.value, ...found.value }) : found;
    },
    async diff(idOrName, file) {
      const path = await find(idOrName);
      return path.ok ? deps.workspace.diff(path.value, file) : path;
    },
    async fileLines(idOrName, query) {
      const path = await find(idOrName);
      return path.ok ? deps.workspace.fileLines(path.value, query) : path;
    },
    async files(idOrName, query) {
      const path = await find(idOrName);
      return path.ok ? deps.workspace.files(path.value, query) : path;
    },
  };
}
