import type { Rejection } from "@drover/core";
import type { Peer } from "../ports.ts";
import type { Service, Wanted } from "../service.ts";

/**
 * What a session's process may do; a person may do everything. SECURITY.md has the table of all operations.
 * - `anyone`: it only reads and shows no secret. The caller is not looked up.
 * - `own-session`: only in the process's own session, and not to make it looser.
 * - `not-looser`: only if the session in question is not looser than the process's own.
 * - `person`: not at all.
 */
export type Admission = "anyone" | "own-session" | "not-looser" | "person";

/** Who may run an operation, and when. */
export interface Admitted {
  readonly admission: Admission;
  /** Accepted even while the service accepts nothing new: it ends something, or stores nothing. */
  readonly always?: true;
}

/** The caller; looked up only if it matters. */
export async function peerFor({ admission }: Admitted, peer: () => Promise<Peer>): Promise<Peer> {
  return admission === "anyone" ? "person" : peer();
}

/** An operation as requested by a caller. */
export interface Attempt {
  readonly operation: Admitted;
  readonly peer: Peer;
  /** What admitted the caller. */
  readonly right: { readonly by: "bearer" | "cookie" | "page" | "public" };
  /** The session it is about, by id or name. */
  readonly sessionId: string | undefined;
  /** The body of the request, or the fields of the message. */
  readonly input: unknown;
}

/** Why this caller is rejected whatever the details of the request: known before the body is read. */
export function callerRefusal(
  { admission }: Admitted,
  { peer, right }: Pick<Attempt, "peer" | "right">,
): Rejection | undefined {
  if (admission === "anyone" || peer === "person") return undefined;
  // A login has been proven to be a person's. A token lies in a file.
  if (peer === "gone") return right.by === "cookie" ? undefined : refused(gone);
  return admission === "person"
    ? refused(`${from(peer.sessions[0])} Only a person may do that, ${byPerson}`)
    : undefined;
}

/** Why this caller may not run the operation. Checked before any receipt. */
export async function refusalOf(service: Service, attempt: Attempt): Promise<Rejection | undefined> {
  const { operation, peer } = attempt;
  const refusal = callerRefusal(operation, attempt);
  if (refusal || operation.admission === "anyone" || typeof peer === "string") return refusal;
  const found = await Promise.all(peer.sessions.map((id) => service.sessions.get(id)));
  const sessions = found.flatMap((session) => (session.ok ? [session.value.id] : []));
  if (sessions.length === 0) {
    return refused(`${from(peer.sessions[0])} This server has no such session, so it may only read here.`);
  }
  for (const own of sessions) {
    const why = await whyNot(service, { attempt, own });
    if (why !== undefined) return refused(`${from(own)} ${why}`);
  }
  return undefined;
}

const byPerson = "on Drover's page or in a terminal of their own.";
const from = (sessionId: string) => `This request comes from a process of session ${sessionId}.`;
const gone =
  "The connection was closed before Drover could tell whether a person or an agent is asking. Keep it open until you have the answer.";

const refused = (message: string): Rejection => ({ code: "AGENT_CANNOT_ANSWER", message });

interface Question {
  readonly attempt: Attempt;
  readonly own: string;
}

async function whyNot(service: Service, { attempt, own }: Question): Promise<string | undefined> {
  const { operation, sessionId, input } = attempt;
  const wanted = { ...wantedOf(sessionId, input), isToRun: operation.admission === "not-looser" };
  if (operation.admission === "own-session" && sessionId !== undefined) {
    const target = await service.sessions.locate(sessionId);
    if (target.ok && target.value.id !== own) {
      return `It may do that in its own session only; a person may do it in others, ${byPerson}`;
    }
  }
  if (sessionId === undefined && wanted.cwd === undefined && wanted.projectId === undefined) {
    return `It may do that in individual sessions only; a person may do it in all of them, ${byPerson}`;
  }
  const why = await service.sessions.looserThan(own, wanted);
  return why && `It may not do more than its own session: ${why}. Ask for less, or ask a person.`;
}

/** The fields that decide how loose the result is. The rest of a body does not matter for that. */
function wantedOf(sessionId: string | undefined, input: unknown): Wanted {
  const { agent, cliType, ...fields } = (input ?? {}) as Wanted & { readonly cliType?: string };
  const { cwd, projectId, permissionMode, mcpServers, account, agentSessionId, workspace } = fields;
  return {
    sessionId,
    agent: agent ?? cliType,
    cwd,
    projectId,
    permissionMode,
    mcpServers,
    account,
    agentSessionId,
    workspace,
  };
}
