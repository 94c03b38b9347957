import type { EngineContext } from "../context.ts";

/** The tops of all repositories that sessions or projects are in. */
export async function repositoryTops({ deps, projects }: EngineContext): Promise<string[]> {
  const rows = await deps.store.ownWorkspaces();
  const directories = (await projects.asService().list()).map(({ path }) => path);
  const tops = await Promise.all(directories.map((directory) => deps.repositoryTop(directory)));
  const all = [...rows.map(({ workspace }) => workspace.repository?.top), ...tops];
  return [...new Set(all.filter((top) => top !== undefined))];
}

/** Removes what a server that died in the middle of a change may have left: git refuses to work beside a lock. */
export async function unlockRepositories(context: EngineContext): Promise<void> {
  const { store, upkeep } = context.deps;
  const own = (await store.ownWorkspaces()).map(({ workspace }) => workspace.path);
  await upkeep.unlock([...(await repositoryTops(context)), ...own]);
}
