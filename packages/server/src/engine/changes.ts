import { ok } from "@drover/core";
import type { Service } from "../service.ts";
import type { EngineContext } from "./engine.ts";
import { notFound } from "./not-found.ts";

/** What a session's working copy looks like: asked anew each time, since anybody may change files. */
export function changesService({
  deps,
  registry,
}: EngineContext): Pick<Service["sessions"], "workspace" | "diff"> {
  const directoryOf = async (idOrName: string): Promise<string | undefined> =>
    (await registry.row(idOrName))?.cwd;
  return {
    async workspace(idOrName) {
      const path = await directoryOf(idOrName);
      if (path === undefined) return notFound("session", idOrName);
      const found = await deps.workspace.changes(path);
      return found.ok ? ok({ mode: "local", path, ...found.value }) : found;
    },
    async diff(idOrName, file) {
      const path = await directoryOf(idOrName);
      return path === undefined ? notFound("session", idOrName) : deps.workspace.diff(path, file);
    },
  };
}
