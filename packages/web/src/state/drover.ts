import type { Answers, Interaction, PermissionMode, Result, Scope, Session } from "@drover/core";
import { createContext, useContext } from "react";
import { Connection } from "./connection.ts";
import { api } from "./http.ts";
import { Outbox } from "./outbox.ts";
import { SessionList } from "./sessions.ts";
import type { Problem } from "./wire.ts";

type Answer<T> = Promise<Result<T, Problem>>;

export interface NewSession {
  readonly agent: string;
  readonly cwd: string;
  readonly permissionMode: PermissionMode;
}

/** The page's side of Drover: what it knows, and one method for everything a person can do here. */
export class Drover {
  readonly connection = new Connection();
  readonly sessions = new SessionList(this.connection);
  readonly outbox = new Outbox(this.connection);

  async create(input: NewSession): Answer<{ session: Session }> {
    const created = await this.connection.request<{ session: Session }>("session:create", { ...input });
    if (created.ok) this.sessions.put(created.value.session);
    return created;
  }

  approve(interaction: Interaction, how: { scope: Scope; permissionMode?: PermissionMode }): Answer<unknown> {
    const { inputHash } = interaction;
    return this.resolve("session:approve", interaction, { ...how, ...(inputHash ? { inputHash } : {}) });
  }

  deny(interaction: Interaction, reason: string): Answer<unknown> {
    return this.resolve("session:deny", interaction, reason ? { reason } : {});
  }

  answer(interaction: Interaction, answers: Answers): Answer<unknown> {
    return this.resolve("session:answer", interaction, { answers });
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

  async archive(sessionId: string): Answer<unknown> {
    const archived = await this.connection.request("session:archive", { sessionId });
    if (archived.ok) this.sessions.remove(sessionId);
    return archived;
  }

  async remove(sessionId: string): Answer<unknown> {
    const removed = await api("DELETE", `/api/sessions/${sessionId}`);
    if (removed.ok) this.sessions.remove(sessionId);
    return removed;
  }

  editQueued(sessionId: string, messageId: string, content: string): Answer<unknown> {
    return api("PATCH", `/api/sessions/${sessionId}/queue/${messageId}`, { content });
  }

  dropQueued(sessionId: string, messageId: string): Answer<unknown> {
    return api("DELETE", `/api/sessions/${sessionId}/queue/${messageId}`);
  }

  private async sessionCommand(method: "POST", path: string): Answer<Session> {
    const answer = await api<Session>(method, path);
    if (answer.ok) this.sessions.put(answer.value);
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
