import type { ConfigReport, DoctorReport, Session } from "@drover/core";
import { useEffect, useState } from "react";
import { api } from "../state/http.ts";
import type { AgentInfo, Project } from "../state/wire.ts";

const storageKey = "drover:last-choice";

interface Choice {
  readonly agent: string;
  readonly cwd: string;
}

export interface Choices extends Choice {
  readonly agents: readonly AgentInfo[];
  /** What makes an agent ready that is not, by its name. */
  readonly remedies: Readonly<Record<string, string>>;
  readonly directories: readonly Directory[];
}

export interface Directory {
  readonly path: string;
  /** The project's, where it is one. */
  readonly name: string;
}

export function rememberChoice(choice: Choice): void {
  localStorage.setItem(storageKey, JSON.stringify(choice));
}

export const isReady = ({ installed, login }: AgentInfo): boolean => installed && login !== "missing";

/** What can be chosen for a new session, and what was chosen last. */
export function useChoices(recent: readonly Session[], projects: readonly Project[]): Choices {
  const agents = useAnswer<{ agents: readonly AgentInfo[] }>("/api/agents")?.agents ?? [];
  const missing = agents.some((agent) => !isReady(agent));
  const doctor = useAnswer<DoctorReport>(missing ? "/api/doctor" : undefined);
  const config = useAnswer<ConfigReport>(recent.length + projects.length === 0 ? "/api/config" : undefined);
  const last = JSON.parse(localStorage.getItem(storageKey) ?? "{}") as Partial<Choice>;
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
    remedies: remediesOf(doctor),
    agent: ready.find((agent) => agent === last.agent) ?? ready[0] ?? "",
    directories,
    cwd: directories[0]?.path ?? "",
  };
}

/** The answer to a question, once it has come; nothing is asked without a path. */
export function useAnswer<T>(path: string | undefined): T | undefined {
  const [answer, setAnswer] = useState<T>();
  useEffect(() => {
    setAnswer(undefined);
    let wanted = true;
    if (path) void api<T>("GET", path).then((result) => wanted && result.ok && setAnswer(result.value));
    return () => {
      wanted = false;
    };
  }, [path]);
  return answer;
}

/** Doctor's findings about agents are called `agent NAME`. */
function remediesOf(doctor: DoctorReport | undefined): Readonly<Record<string, string>> {
  const entries = doctor?.findings.flatMap(({ check, remedy }) => {
    const agent = /^agent (.+)$/.exec(check)?.[1];
    return agent && remedy ? [[agent, remedy] as const] : [];
  });
  return Object.fromEntries(entries ?? []);
}

/** Where nobody has worked yet, the directory Drover may work in is a place to begin. */
function firstRoot(config: ConfigReport | undefined): readonly string[] {
  const roots = config?.settings["server.roots"]?.value;
  const first: unknown = Array.isArray(roots) ? roots[0] : undefined;
  return typeof first === "string" ? [first] : [];
}
