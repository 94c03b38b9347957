import type { PatchSession, Session } from "@drover/core";
import type { Answer } from "../service.ts";
import type { ApiContext } from "./context.ts";

/** Changes a session; every open page is told when one was archived, whoever did it. */
export async function patchSession(context: ApiContext, id: string, patch: PatchSession): Answer<Session> {
  const session = await context.deps.service.sessions.patch(id, patch);
  if (session.ok && patch.archived) {
    context.broadcast({ type: "session:archived", sessionId: session.value.id });
  }
  return session;
}
