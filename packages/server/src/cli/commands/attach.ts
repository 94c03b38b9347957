import { randomUUID } from "node:crypto";
import type { Receipt, Session, SessionEvent } from "@drover/core";
import { Desk } from "../ask/desk.ts";
import { Keyboard } from "../ask/keyboard.ts";
import type { Cli } from "../cli.ts";
import { type ExitCode, exit, RejectedError } from "../exit.ts";
import type { ServerOptions } from "../options.ts";
import { Client } from "../server/client.ts";
import { sessionPath } from "../server/paths.ts";
import { Composer } from "../session/composer.ts";
import { readSession, type SnapshotFrame } from "../session/frames.ts";
import { Interrupts } from "../session/interrupts.ts";
import { awayTeller } from "../view/away.ts";
import { Screen } from "../view/screen.ts";
import { oneLine } from "../view/style.ts";
import { Transcript } from "../view/transcript.ts";
import { age } from "../view/words.ts";

export interface AttachRequest {
  readonly session: string;
  readonly options: ServerOptions;
}

/** So much of what was said before is shown on arrival; `drover logs` has all of it. */
const shownItems = 20;

/** Shows a session live and takes messages and answers at the keyboard, until the person leaves. */
export async function attach(cli: Cli, { session: name, options }: AttachRequest): Promise<ExitCode> {
  const client = await Client.connect(cli, { server: options.server, onAway: awayTeller(cli) });
  const session = await client.get<Session>(sessionPath(name));
  const leaving = new AbortController();
  const leave = (code: ExitCode) => leaving.abort(code);
  if (options.json) return passFrames(cli, client, session.id);

  let failure: { error: unknown } | undefined;
  const fail = (error: unknown) => {
    failure ??= { error };
    leaving.abort();
  };
  using screen = new Screen(cli);
  using keyboard = new Keyboard(cli);
  const sessionId = session.id;
  using interrupts = new Interrupts(cli, {
    ...{ client, screen, sessionId },
    onDetach: () => leave(exit.interrupted),
  });
  const onInterrupt = () => interrupts.press();
  const isInteractive = cli.stdin.isTTY === true && cli.stderr.isTTY === true;
  const say = (content: string) => {
    client.post<Receipt>(sessionPath(sessionId, "messages"), { content, clientMessageId: randomUUID() }).then(
      ({ applied, queuePosition }) => {
        if (applied !== "queued") return;
        screen.line(screen.style.dim(`· waits at place ${queuePosition} of the queue`));
      },
      (error: unknown) => {
        if (!(error instanceof RejectedError)) return fail(error);
        screen.line(screen.style.red(`✗ not sent: ${oneLine(error.message)}`));
      },
    );
  };
  using composer = isInteractive
    ? new Composer({ screen, keyboard, onMessage: say, onInterrupt, onLeave: () => leave(exit.done) })
    : undefined;
  using desk = new Desk({
    ...{ client, screen, server: options.server, onInterrupt, onFailure: fail },
    keyboard: isInteractive ? keyboard : undefined,
    ...(composer ? { untilFree: () => composer.untilFree() } : {}),
  });
  const view = new SessionView(screen, desk, () => interrupts.reset());
  for await (const { event } of readSession(cli, client, { sessionId, signal: leaving.signal })) {
    if (event.type !== "snapshot") view.event(event);
    else {
      view.snapshot(event);
      if (isInteractive) screen.line(screen.style.dim("Type a message · Ctrl-C interrupt · Ctrl-D leave"));
    }
  }
  if (failure) throw failure.error;
  screen.line(
    screen.style.dim(`${session.name} goes on. \`drover attach ${session.name}\` comes back to it.`),
  );
  return leaving.signal.reason as ExitCode;
}

async function passFrames(cli: Cli, client: Client, sessionId: string): Promise<ExitCode> {
  const stopping = new AbortController();
  using _ = cli.onInterrupt(() => stopping.abort());
  for await (const { data } of readSession(cli, client, { sessionId, signal: stopping.signal })) {
    cli.stdout.write(`${data}\n`);
  }
  return exit.interrupted;
}

/** States that other lines already tell of. */
const quietStates: ReadonlySet<string> = new Set(["starting", "running", "idle", "waiting_for_input"]);

/** A session's stream on the screen: its transcript, its state, and at the desk what it asks. */
class SessionView {
  private readonly screen: Screen;
  private readonly desk: Desk;
  private readonly onTurnEnd: () => void;
  private readonly transcript: Transcript;
  private turnStartedAt: string | undefined;

  constructor(screen: Screen, desk: Desk, onTurnEnd: () => void) {
    this.screen = screen;
    this.desk = desk;
    this.onTurnEnd = onTurnEnd;
    this.transcript = new Transcript(screen, { messages: true });
  }

  snapshot({ session, items, interactions, before, reset }: SnapshotFrame): void {
    const { bold, dim } = this.screen.style;
    if (reset) this.screen.line(dim("· the log was replaced; this is how it stands now"));
    const where = `${session.agent} in ${session.cwd} · ${session.state}`;
    this.screen.line(`${bold(session.name)}  ${dim(where)}`);
    const shown = items.slice(-shownItems);
    if (before !== undefined || shown.length < items.length) {
      this.screen.line(dim(`· earlier: drover logs ${session.name}`));
    }
    for (const item of shown) this.transcript.item(item);
    this.turnStartedAt = session.turn?.startedAt;
    if (session.turn) this.screen.busy("working");
    for (const interaction of interactions) this.desk.asked(interaction);
  }

  event(event: SessionEvent): void {
    this.transcript.event(event);
    switch (event.type) {
      case "turn_start":
        this.turnStartedAt = event.at;
        this.screen.busy("working");
        break;
      case "approval_required":
      case "question_prompt":
        this.desk.asked(event);
        break;
      case "interaction_resolved":
        this.desk.resolved(event.interactionId);
        this.screen.busy("working");
        break;
      case "session_status":
        this.status(event.state, event.reason?.message);
        break;
      case "done": {
        const { dim, red } = this.screen.style;
        const took = this.turnStartedAt ? ` after ${age(this.turnStartedAt, Date.parse(event.at))}` : "";
        this.screen.busy("");
        this.screen.line((event.ok ? dim : red)(`— ${event.reason.replaceAll("_", " ")}${took}`));
        this.onTurnEnd();
        break;
      }
    }
  }

  private status(state: Session["state"], why: string | undefined): void {
    if (state === "starting" || state === "running") this.screen.busy(state);
    if (quietStates.has(state)) return;
    const { yellow, dim } = this.screen.style;
    this.transcript.endText();
    this.screen.line(yellow(`· ${state.replaceAll("_", " ")}`) + (why ? dim(` ${oneLine(why)}`) : ""));
  }
}
