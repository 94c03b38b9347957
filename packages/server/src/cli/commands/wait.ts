import type { EventOf, Interaction, Session } from "@drover/core";
import type { Cli } from "../cli.ts";
import { type ExitCode, exit } from "../exit.ts";
import { Client } from "../server/client.ts";
import { sessionPath, withQuery } from "../server/paths.ts";
import { resolveSession } from "../server/session-reference.ts";
import { readSession } from "../session/frames.ts";
import { markSeen } from "../session/seen.ts";
import { failureWords } from "../session/turn-end.ts";
import { style } from "../terminal/styled.ts";
import { showAsked } from "../view/asked.ts";
import { awayReporter } from "../view/away.ts";
import { Screen } from "../view/screen.ts";
import { oneLine } from "../view/text.ts";
import { pausedLine } from "../view/words.ts";

export interface WaitOptions {
  readonly server?: string;
  readonly json?: boolean;
  readonly timeout?: number;
  /** False with --no-wait: exit as soon as a person is needed. */
  readonly wait: boolean;
}

/** Waits until the session has nothing more to do, and reports how its last turn ended. */
export async function wait(
  cli: Cli,
  { session: name, options }: { session: string; options: WaitOptions },
): Promise<ExitCode> {
  const client = await Client.connect(cli, { server: options.server, onAway: awayReporter(cli) });
  const timeout = options.timeout === undefined ? undefined : AbortSignal.timeout(options.timeout);
  const signal = timeout ?? new AbortController().signal;
  const session = await client.get<Session>(sessionPath(await resolveSession(client, name)));
  const past = await lastDone(cli, client, session);
  using screen = new Screen(cli);
  if (isSettled(session)) {
    if (options.json && past) cli.stdout.frame(past.data);
    if (session.unread) await markSeen(client, session.id, session.lastSeq);
    return settled(screen, session, past?.event);
  }
  const hinter = new Hinter(screen, options.server);
  if ((await hinter.hint(client, session)) && !options.wait) return exit.needsPerson;
  screen.busy(`waiting for ${session.name}`);

  let done = past?.event;
  let settledAt = Number.POSITIVE_INFINITY;
  const { id: sessionId, lastSeq: after } = session;
  for await (const { event, data } of readSession(cli, client, { sessionId, after, signal })) {
    if (options.json) cli.stdout.frame(data);
    if (event.type === "done") done = event;
    if (!mayChangeState.has(event.type) && event.seq < settledAt) continue;
    const now = await client.get<Session>(sessionPath(session.id));
    // The session may be ahead of its stream; then the last event is still to be read.
    settledAt = isSettled(now) ? now.lastSeq : Number.POSITIVE_INFINITY;
    if (event.seq >= settledAt) {
      await markSeen(client, session.id, now.lastSeq);
      return settled(screen, now, done);
    }
    if ((await hinter.hint(client, now)) && !options.wait) return exit.needsPerson;
  }
  screen.line(`${session.name} is not done yet and is still running.`);
  return exit.timeout;
}

const mayChangeState: ReadonlySet<string> = new Set([
  "done",
  "session_status",
  "queue_update",
  "approval_required",
  "question_prompt",
  "snapshot",
]);

function isSettled({ state, turn, queued, queuePaused }: Session): boolean {
  if (state === "crashed" || state === "stopped") return true;
  return !turn && (queued === 0 || queuePaused) && state === "idle";
}

/** Prints why the session failed, and whether messages are waiting in a paused queue. */
function settled(screen: Screen, session: Session, done: EventOf<"done"> | undefined): ExitCode {
  const hasFailed = session.state === "crashed" || (done !== undefined && !done.ok);
  const why = session.reason?.message ?? (done && !done.ok ? lastTurnWords(done) : undefined);
  if (hasFailed && why !== undefined) screen.line(style.red(`✗ ${oneLine(why)}`));
  if (session.queued > 0) screen.line(pausedLine(session));
  return hasFailed ? exit.failed : exit.done;
}

const lastTurnWords = (done: EventOf<"done">): string =>
  done.reason === "cancelled" ? "The last turn was interrupted" : failureWords(done);

/** The end of the last turn. Searches the log backwards, because it is usually among the last few events. */
async function lastDone(cli: Cli, client: Client, { id: sessionId, lastSeq }: Session) {
  for (let back = 64; lastSeq > 0; back *= 16) {
    const after = Math.max(0, lastSeq - back);
    const reading = new AbortController();
    let found: { event: EventOf<"done">; data: string } | undefined;
    const frames = readSession(cli, client, { sessionId, after, signal: reading.signal });
    for await (const { event, data } of frames) {
      if (event.type === "done") found = { event, data };
      if (event.seq >= lastSeq) break;
    }
    reading.abort();
    if (found || after === 0) return found;
  }
  return undefined;
}

/** Prints the command that settles each approval or question, once. */
class Hinter {
  private readonly shown = new Set<string>();
  private readonly screen: Screen;
  private readonly server: string | undefined;

  constructor(screen: Screen, server: string | undefined) {
    this.screen = screen;
    this.server = server;
  }

  /** Whether a person is needed now. */
  async hint(client: Client, session: Session): Promise<boolean> {
    if (session.openInteractions === 0) return false;
    const path = withQuery("/api/interactions", { state: "open", sessionId: session.id });
    const { interactions } = await client.get<{ interactions: Interaction[] }>(path);
    for (const interaction of interactions) {
      if (this.shown.has(interaction.id)) continue;
      this.shown.add(interaction.id);
      showAsked(this.screen, interaction, this.server);
    }
    return interactions.length > 0;
  }
}
