import type { Session } from "@drover/core";
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
  readonly directories: readonly string[];
}

export function rememberChoice(choice: Choice): void {
  localStorage.setItem(storageKey, JSON.stringify(choice));
}

/** What can be chosen for a new session, and what was chosen last. */
export function useChoices(recent: readonly Session[]): Choices {
  const [agents, setAgents] = useState<readonly AgentInfo[]>([]);
  const [projects, setProjects] = useState<readonly Project[]>([]);
  useEffect(() => {
    void api<{ agents: AgentInfo[] }>("GET", "/api/agents").then((answer) => {
      if (answer.ok) setAgents(answer.value.agents);
    });
    void api<{ projects: Project[] }>("GET", "/api/projects").then((answer) => {
      if (answer.ok) setProjects(answer.value.projects);
    });
  }, []);
  const last = JSON.parse(localStorage.getItem(storageKey) ?? "{}") as Partial<Choice>;
  const ready = agents.filter(({ installed }) => installed).map(({ agent }) => agent);
  const directories = new Set([
    ...(last.cwd ? [last.cwd] : []),
    ...recent.map(({ cwd }) => cwd),
    ...projects.map(({ path }) => path),
  ]);
  return {
    agents,
    agent: ready.find((agent) => agent === last.agent) ?? ready[0] ?? "",
    directories: [...directories],
    cwd: [...directories][0] ?? "",
  };
}
