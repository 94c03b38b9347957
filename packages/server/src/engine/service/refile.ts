import { type ProjectRow, StoreError } from "../../ports.ts";
import type { EngineContext } from "../context.ts";

/**
 * Moves sessions to the project that is nearest to their directory: those below a project that was added, or all of
 * them. Sessions that are filed correctly stay as they are, so it can be repeated.
 */
export async function refileSessions(
  { deps, registry, projects }: Pick<EngineContext, "deps" | "registry" | "projects">,
  added?: ProjectRow,
): Promise<void> {
  const targets = new Map<string, Promise<ProjectRow | undefined>>();
  for (const { id, projectDir, projectId } of await deps.store.filings(added?.path)) {
    const place = JSON.stringify([projectDir, projectId]);
    const about = projectId === undefined ? {} : { projectId };
    const target = targets.get(place) ?? projects.nearer({ workspace: { projectDir }, about }, added);
    targets.set(place, target);
    const project = await target;
    if (project) await move(id, project);
  }

  async function move(id: string, project: ProjectRow): Promise<void> {
    try {
      await (await registry.find(id))?.moveTo(project.id);
    } catch (error) {
      // Deleted in the meantime.
      if (!(error instanceof StoreError) || error.code !== "CONFLICT") throw error;
    }
  }
}
