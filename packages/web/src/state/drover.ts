import type {
  AgentInfo,
  Answers,
  CommitChanges,
  Committed,
  ConfigReport,
  DeletedSession,
  DiscardChanges,
  Discarded,
  EditQueue,
  Enqueue,
  ForkSession,
  Interaction,
  PatchSession,
  PermissionMode,
  Queue,
  QueuedMessage,
  Result,
  Reverted,
  RevertTurn,
  Scope,
  Session,
  SpawnWorker,
  WorkspaceMode,
} from "@drover/core";
import { createContext, useContext } from "react";
import { Connection } from "../transport/connection.ts";
import { api } from "../transport/http.ts";
import type { Problem } from "../transport/wire.ts";
import { Inbox } from "./inbox.ts";
import { Outbox } from "./outbox.ts";
import { Resource } from "./resource.ts";
import { ServerVersion } from "./server-version.ts";
import { SessionList } from "./sessions.ts";

type Answer<T> = Promise<Result<T, Problem>>;

export interface NewSession {
  readonly agent: string;
  readonly cwd: string;
  readonly permissionMode: PermissionMode;
  readonly model?: string;
  /** Continues a conversation started outside Drover. */
  readonly agentSessionId?: string;
  readonly workspace?: WorkspaceMode;
  /** For a worktree: what it starts from, its name, and whether to continue the branch of that name. */
  readonly base?: string;
  readonly name?: string;
  readonly reattach?: boolean;
}

/** An approval: its scope, the input if it was changed, and for a plan the mode that follows. */
export interface Approval {
  readonly scope: Scope;
  readonly input?: unknown;
  readonly permissionMode?: PermissionMode;
}

type QueueMove = NonNullable<EditQueue["move"]>;

/** The client side of Drover: its state, and a method for every action of the page. */
export class Drover {
  readonly connection = new Connection();
  readonly version = new ServerVersion(this.connection);
  readonly sessions = new SessionList(this.connection);
  readonly inbox = new Inbox(this.connection);
  readonly outbox = new Outbox(this.connection);
  readonly agents = new Resource<{ agents: readonly AgentInfo[] }>(() => api("GET", "/api/agents"));
  readonly config = new Resource<ConfigReport>(() => api("GET", "/api/config"));

  async create(input: NewSession): Answer<{ session: Session }> {
    const created = await this.connection.request<{ session: Session }>("session:create", { ...input });
    if (created.ok) this.sessions.put(created.value.session);
    return created;
  }

  /** Starts a worker. Those with the same batch try the same task. */
  async spawn(wanted: SpawnWorker): Answer<Session> {
    return this.learn(await api<Session>("POST", "/api/workers", wanted));
  }

  approve(interaction: Interaction, how: Approval): Answer<unknown> {
    const { inputHash } = interaction;
    return this.resolve("session:approve", interaction, { ...how, ...(inputHash ? { inputHash } : {}) });
  }

  deny(interaction: Interaction, reason: string): Answer<unknown> {
    return this.resolve("session:deny", interaction, reason ? { reason } : {});
  }

  answer(interaction: Interaction, answers: Answers): Answer<unknown> {
    const { inputHash } = interaction;
    return this.resolve("session:answer", interaction, { answers, ...(inputHash ? { inputHash } : {}) });
  }

  interrupt(sessionId: string): Answer<unknown> {
    return this.connection.request("session:cancel", { sessionId });
  }

  stop(sessionId: string): Answer<Session> {
    return this.sessionCommand("POST", `/api/sessions/${sessionId}/stop`);
  }

  resume(sessionId: string): Answer<Session> {
    return this.sessionCommand("POST", `/api/sessions/${sessionId}/resume`);
  }

  /** The person has seen the session up to this seq. */
  markSeen(sessionId: string, seq: number): Answer<Session> {
    return this.sessionCommand("POST", `/api/sessions/${sessionId}/seen`, { seq });
  }

  /** The server announces it to every tab, including this one. */
  archive(sessionId: string): Answer<unknown> {
    return this.connection.request("session:archive", { sessionId });
  }

  /** `force` deletes a worktree with uncommitted files, and keeps a copy of them. */
  async remove(sessionId: string, { force = false } = {}): Answer<DeletedSession> {
    const removed = await api<DeletedSession>(
      "DELETE",
      `/api/sessions/${sessionId}${force ? "?force=1" : ""}`,
    );
    if (removed.ok) this.sessions.remove(sessionId);
    return removed;
  }

  editQueued(sessionId: string, messageId: string, content: string): Answer<unknown> {
    return api("PATCH", `/api/sessions/${sessionId}/queue/${messageId}`, { content });
  }

  dropQueued(sessionId: string, messageId: string): Answer<unknown> {
    return api("DELETE", `/api/sessions/${sessionId}/queue/${messageId}`);
  }

  /** Puts a message that was dropped back to its place, or to the front if the one after it has started. */
  async putBack(sessionId: string, message: QueuedMessage, before: string | undefined): Answer<unknown> {
    const path = `/api/sessions/${sessionId}/queue`;
    const { content, notBefore, attachments } = message;
    const enqueue = (place: Pick<Enqueue, "before">) =>
      api("POST", path, {
        content,
        ...(notBefore ? { notBefore } : {}),
        ...(attachments ? { attachments: attachments.map(({ id, name }) => ({ id, name })) } : {}),
        ...place,
      } satisfies Enqueue);
    const queued = await enqueue(before ? { before } : {});
    if (queued.ok || queued.error.code !== "NOT_QUEUED") return queued;
    const now = await api<Queue>("GET", path);
    const first = now.ok ? now.value.messages[0]?.messageId : undefined;
    return enqueue(first ? { before: first } : {});
  }

  /** Before or after another queued message. */
  moveQueued(sessionId: string, messageId: string, move: QueueMove): Answer<unknown> {
    return api("PATCH", `/api/sessions/${sessionId}/queue/${messageId}`, { move });
  }

  change(sessionId: string, changes: PatchSession): Answer<Session> {
    return this.sessionCommand("PATCH", `/api/sessions/${sessionId}`, changes);
  }

  /** Reconnects to the agent now. */
  reconnect(sessionId: string): Answer<Session> {
    return this.sessionCommand("POST", `/api/sessions/${sessionId}/reconnect`);
  }

  /** Makes files what they were before a turn. A revert can be reverted by its own `turnId`. */
  revert(sessionId: string, revert: Partial<RevertTurn>): Answer<Reverted> {
    return api("POST", `/api/sessions/${sessionId}/revert`, revert);
  }

  /** Makes files what they are in the last commit, or takes back one hunk. It is reverted like a turn. */
  discard(sessionId: string, what: DiscardChanges): Answer<Discarded> {
    return api("POST", `/api/sessions/${sessionId}/discard`, what);
  }

  commit(sessionId: string, what: CommitChanges): Answer<Committed> {
    return api("POST", `/api/sessions/${sessionId}/commit`, what);
  }

  /** Forks the conversation up to a seq into a new session: there, or in a worktree with the files of that moment. */
  fork(sessionId: string, fork: ForkSession): Answer<Session> {
    return this.sessionCommand("POST", `/api/sessions/${sessionId}/fork`, fork);
  }

  private async sessionCommand(method: "POST" | "PATCH", path: string, body?: unknown): Answer<Session> {
    return this.learn(await api<Session>(method, path, body));
  }

  private learn(answer: Awaited<Answer<Session>>): Awaited<Answer<Session>> {
    if (answer.ok) this.sessions.learn(answer.value);
    return answer;
  }

  private resolve(type: string, { id, sessionId }: Interaction, fields: object): Answer<unknown> {
    return this.connection.request(type, { sessionId, toolCallId: id, ...fields });
  }
}

const context = createContext<Drover | undefined>(undefined);
export const DroverProvider = context.Provider;

export function useDrover(): Drover {
  const drover = useContext(context);
  if (!drover) throw new Error("There is no DroverProvider above this component.");
  return drover;
}
