import type { Socket } from "node:net";
import type { Rejection } from "@drover/core";
import type { ApiDeps } from "./deps.ts";
import { agentCannotAnswer } from "./failure.ts";

/** What decides, of a route or of a socket's message, whether it is taken at all. */
export interface Admission {
  /** Taken even while the service takes nothing new: it ends something, or stores nothing. */
  readonly always?: true;
  /** An agent may not do this for itself. */
  readonly personOnly?: true;
}

/** Why this is not taken: nothing new is right now, or it comes from an agent. */
export async function whyClosed(
  { service, peerSession }: ApiDeps,
  { always, personOnly }: Admission,
  socket: Socket,
): Promise<Rejection | undefined> {
  const refusing = always ? undefined : service.refusing();
  if (refusing || !personOnly) return refusing;
  const sessionId = await peerSession(socket);
  return sessionId === undefined ? undefined : agentCannotAnswer(sessionId);
}
