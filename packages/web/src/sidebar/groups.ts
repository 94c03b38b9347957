import type { Project, Session, SessionStateName } from "@drover/core";

/** The state filters; some combine several session states. */
export const standings = {
  all: { label: "Any state", states: undefined },
  unread: { label: "Unread", states: undefined },
  waiting: { label: "Waiting for you", states: ["waiting_for_input"] },
  working: { label: "Working", states: ["starting", "running", "stalled", "stopping"] },
  idle: { label: "Idle", states: ["idle", "waiting_for_quota"] },
  failed: { label: "Failed", states: undefined },
  stopped: { label: "Stopped", states: ["stopped"] },
} as const satisfies Record<string, { label: string; states: readonly SessionStateName[] | undefined }>;
export type Standing = keyof typeof standings;

/** Whether the agent crashed, or its last turn ended with an error. */
export const hasFailed = ({ state, lastTurn }: Pick<Session, "state" | "lastTurn">): boolean =>
  state === "crashed" ||
  (state === "idle" && lastTurn !== undefined && !lastTurn.ok && lastTurn.reason !== "cancelled");

/** The sessions to look at next: those that wait for an answer, then the unread ones. */
export const attention = (sessions: readonly Session[]): readonly Session[] => [
  ...sessions.filter(({ openInteractions }) => openInteractions > 0),
  ...sessions.filter(({ openInteractions, unread }) => openInteractions === 0 && unread),
];

export interface Filter {
  readonly text: string;
  readonly standing: Standing;
  /** Empty for any agent. */
  readonly agent: string;
  readonly archived: boolean;
}

export const noFilter: Filter = { text: "", standing: "all", agent: "", archived: false };

export function matches(session: Session, { text, standing, agent }: Filter): boolean {
  const states: readonly SessionStateName[] | undefined = standings[standing].states;
  if (states && !states.includes(session.state)) return false;
  if (standing === "unread" && !session.unread) return false;
  if (standing === "failed" && !hasFailed(session)) return false;
  if (agent !== "" && session.agent !== agent) return false;
  const { title, name, cwd, workspace } = session;
  const searchText = [title, name, session.agent, cwd, workspace.branch ?? ""].join(" ").toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => searchText.includes(word));
}

export interface Group {
  readonly key: string;
  readonly name: string;
  readonly path: string;
  readonly sessions: readonly Session[];
}

/** Sessions grouped by project; both keep the order of the list, newest first. */
export function byProject(sessions: readonly Session[], projects: readonly Project[]): readonly Group[] {
  const groups = Map.groupBy(sessions, ({ projectId, workspace }) => projectId ?? workspace.projectDir);
  return [...groups].map(([key, members]) => {
    const project = projects.find(({ id }) => id === key);
    const path = project?.path ?? members[0]?.workspace.projectDir ?? key;
    return { key, path, name: project?.name ?? path.split("/").findLast(Boolean) ?? path, sessions: members };
  });
}
