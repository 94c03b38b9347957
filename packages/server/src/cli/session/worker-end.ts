import type { Session } from "@drover/core";
import type { Cli } from "../cli.ts";
import { type ExitCode, exit } from "../exit.ts";
import type { Client } from "../server/client.ts";
import { sessionPath } from "../server/paths.ts";
import { readSession } from "./frames.ts";

interface Awaited {
  readonly client: Client;
  readonly worker: Session;
  readonly timeout: number | undefined;
}

/** The worker once it has nothing more to do; undefined if the time is up before that. */
export async function settledWorker(
  cli: Cli,
  { client, worker, timeout }: Awaited,
): Promise<Session | undefined> {
  if (isSettled(worker)) return worker;
  const { id: sessionId, lastSeq: after } = worker;
  const signal = timeout === undefined ? new AbortController().signal : AbortSignal.timeout(timeout);
  for await (const { event } of readSession(cli, client, { sessionId, after, signal })) {
    if (!mayChangeState.has(event.type)) continue;
    const now = await client.get<Session>(sessionPath(sessionId));
    if (isSettled(now)) return now;
  }
  return undefined;
}

const mayChangeState: ReadonlySet<string> = new Set([
  "session_status",
  "queue_update",
  "approval_required",
  "question_prompt",
  "snapshot",
]);

function isSettled({ state, turn, queued, queuePaused }: Session): boolean {
  if (state === "crashed" || state === "stopped" || state === "waiting_for_input") return true;
  return state === "idle" && !turn && (queued === 0 || queuePaused);
}

/** What a worker that has nothing more to do needs. */
export function exitOf({ state, lastTurn }: Session): ExitCode {
  if (state === "waiting_for_input") return exit.needsPerson;
  return state === "idle" && lastTurn?.ok ? exit.done : exit.failed;
}
