import type { Project, Session, SessionStateName } from "@drover/core";

/** What people look for; several states of a session are one answer to "what is going on?". */
export const standings = {
  all: { words: "Any state", states: undefined },
  waiting: { words: "Waiting for you", states: ["waiting_for_input"] },
  working: { words: "Working", states: ["starting", "running", "stalled", "stopping"] },
  resting: { words: "Idle", states: ["idle", "waiting_for_quota"] },
  ended: { words: "Stopped or crashed", states: ["stopped", "crashed"] },
} as const satisfies Record<string, { words: string; states: readonly SessionStateName[] | undefined }>;
export type Standing = keyof typeof standings;

export interface Filter {
  readonly text: string;
  readonly standing: Standing;
  /** Empty for every agent. */
  readonly agent: string;
  readonly archived: boolean;
}

export const noFilter: Filter = { text: "", standing: "all", agent: "", archived: false };

export function matches(session: Session, { text, standing, agent }: Filter): boolean {
  const states: readonly SessionStateName[] | undefined = standings[standing].states;
  if (states && !states.includes(session.state)) return false;
  if (agent !== "" && session.agent !== agent) return false;
  const { title, name, cwd, workspace } = session;
  const words = [title, name, session.agent, cwd, workspace.branch ?? ""].join(" ").toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => words.includes(word));
}

export interface Group {
  readonly key: string;
  readonly name: string;
  readonly path: string;
  readonly sessions: readonly Session[];
}

/** Sessions by project, both in the order they come in: the newest first. */
export function byProject(sessions: readonly Session[], projects: readonly Project[]): readonly Group[] {
  const groups = Map.groupBy(sessions, ({ projectId, workspace }) => projectId ?? workspace.projectDir);
  return [...groups].map(([key, members]) => {
    const project = projects.find(({ id }) => id === key);
    const path = project?.path ?? members[0]?.workspace.projectDir ?? key;
    return { key, path, name: project?.name ?? path.split("/").findLast(Boolean) ?? path, sessions: members };
  });
}
