import type { Session } from "@drover/core";
import { CliError, exit } from "../exit.ts";
import type { Client } from "../server/client.ts";
import { sessionPath, withQuery } from "../server/paths.ts";
import { resolveSession } from "../server/session-reference.ts";

/** The worker that a name, an id or the start of one means. */
export async function findWorker(client: Client, reference: string): Promise<Session> {
  const session = await client.get<Session>(sessionPath(await resolveSession(client, reference)));
  if (session.kind === "worker") return session;
  const next = "`drover worker ls` lists the workers.";
  throw new CliError(exit.notFound, `${session.name} is a session, not a worker.`, next);
}

/** The workers of a batch, by name; empty if there is none. */
export async function workersIn(client: Client, batch: string): Promise<Session[]> {
  const path = withQuery("/api/sessions", { batch, limit: 1000 });
  const { sessions } = await client.get<{ sessions: Session[] }>(path);
  return sessions.sort((a, b) => a.name.localeCompare(b.name, "en", { numeric: true }));
}
