import type { AgentInfo, ConfigReport, Project, Session } from "@drover/core";
import { useDrover } from "../state/drover.ts";
import { useResource } from "../state/use-resource.ts";
import { browserStorage } from "../storage/storage.ts";

const storageKey = "drover:last-choice";

interface Choice {
  readonly agent: string;
  readonly cwd: string;
}

export interface Choices extends Choice {
  readonly agents: readonly AgentInfo[];
  readonly directories: readonly Directory[];
}

export interface Directory {
  readonly path: string;
  /** The name of its project, or the last part of the path. */
  readonly name: string;
}

export function rememberChoice(choice: Choice): void {
  browserStorage.write(storageKey, JSON.stringify(choice));
}

export const isReady = ({ installed, login }: AgentInfo): boolean => installed && login !== "missing";

/** The options for a new session, and the last choice. */
export function useChoices(recent: readonly Session[], projects: readonly Project[]): Choices {
  const drover = useDrover();
  const agents = useResource(drover.agents).value?.agents ?? [];
  const { value: config } = useResource(drover.config);
  const last = browserStorage.readJson<Partial<Choice>>(storageKey) ?? {};
  const ready = agents.filter(isReady).map(({ agent }) => agent);
  const paths = new Set([
    ...(last.cwd ? [last.cwd] : []),
    ...recent.map(({ workspace }) => workspace.projectDir),
    ...projects.map(({ path }) => path),
    ...firstRoot(config),
  ]);
  const directories = [...paths].map((path) => ({
    path,
    name: projects.find((project) => project.path === path)?.name ?? path.split("/").at(-1) ?? path,
  }));
  return {
    agents,
    agent: ready.find((agent) => agent === last.agent) ?? ready[0] ?? "",
    directories,
    cwd: directories[0]?.path ?? "",
  };
}

/** The first directory Drover may work in: the default when there are no sessions yet. */
function firstRoot(config: ConfigReport | undefined): readonly string[] {
  const roots = config?.settings["server.roots"]?.value;
  const first: unknown = Array.isArray(roots) ? roots[0] : undefined;
  return typeof first === "string" ? [first] : [];
}
