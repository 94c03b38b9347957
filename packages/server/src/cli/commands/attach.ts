import { randomUUID } from "node:crypto";
import type { Receipt, Session } from "@drover/core";
import { Desk } from "../ask/desk.ts";
import { Keyboard } from "../ask/keyboard.ts";
import type { Cli } from "../cli.ts";
import { type ExitCode, exit, RejectedError } from "../exit.ts";
import type { ServerOptions } from "../options.ts";
import { Client } from "../server/client.ts";
import { sessionPath } from "../server/paths.ts";
import { resolveSession } from "../server/session-reference.ts";
import { Composer } from "../session/composer.ts";
import { Departure } from "../session/departure.ts";
import { readSession } from "../session/frames.ts";
import { Interrupts } from "../session/interrupts.ts";
import { markSeen } from "../session/seen.ts";
import { SessionView } from "../session/session-view.ts";
import { style } from "../terminal/styled.ts";
import { awayReporter } from "../view/away.ts";
import { Screen } from "../view/screen.ts";
import { oneLine } from "../view/text.ts";

export interface AttachRequest {
  readonly session: string;
  readonly options: ServerOptions;
}

/** Shows a session live and takes messages and answers from the keyboard until the person leaves. */
export async function attach(cli: Cli, { session: name, options }: AttachRequest): Promise<ExitCode> {
  const client = await Client.connect(cli, { server: options.server, onAway: awayReporter(cli) });
  const session = await client.get<Session>(sessionPath(await resolveSession(client, name)));
  if (options.json) return passFrames(cli, client, session.id);
  const departure = new Departure();
  using screen = new Screen(cli);
  using keyboard = new Keyboard(cli);
  const sessionId = session.id;
  using interrupts = new Interrupts(cli, {
    ...{ client, screen, sessionId },
    onDetach: () => departure.leave(exit.interrupted),
  });
  const onInterrupt = () => interrupts.press();
  const isInteractive = cli.stdin.isTTY === true && cli.stderr.isTerminal;
  using composer = isInteractive
    ? new Composer({
        ...{ screen, keyboard, onInterrupt },
        onMessage: (content) => {
          sendMessage({ client, screen, sessionId }, content).catch((error) => departure.fail(error));
        },
        onLeave: () => departure.leave(exit.done),
      })
    : undefined;
  using desk = new Desk({
    ...{ client, screen, server: options.server, onInterrupt },
    onFailure: (error) => departure.fail(error),
    keyboard: isInteractive ? keyboard : undefined,
    ...(composer ? { untilFree: () => composer.untilFree() } : {}),
  });
  const hint = isInteractive ? "Type a message · Ctrl-C interrupt · Ctrl-D leave" : undefined;
  const view = new SessionView({ screen, desk, hint, onTurnEnd: () => interrupts.reset() });
  for await (const { event } of readSession(cli, client, { sessionId, signal: departure.signal })) {
    if (event.type === "snapshot") view.snapshot(event);
    else view.event(event);
    if (event.type === "snapshot" ? event.session.unread : event.type === "done") {
      await markSeen(client, sessionId, event.seq);
    }
  }
  const { code } = departure.reason();
  screen.line(style.dim(`Detached from ${session.name}. \`drover attach ${session.name}\` opens it again.`));
  return code;
}

/** Shows the server's refusal, if any; the view stays open. */
async function sendMessage(
  { client, screen, sessionId }: { client: Client; screen: Screen; sessionId: string },
  content: string,
): Promise<void> {
  try {
    const message = { content, clientMessageId: randomUUID() };
    await client.post<Receipt>(sessionPath(sessionId, "messages"), message);
  } catch (error) {
    if (!(error instanceof RejectedError)) throw error;
    screen.line(style.red(`✗ not sent: ${oneLine(error.message)}`));
  }
}

async function passFrames(cli: Cli, client: Client, sessionId: string): Promise<ExitCode> {
  const stopping = new AbortController();
  using _ = cli.onInterrupt(() => stopping.abort());
  for await (const { data } of readSession(cli, client, { sessionId, signal: stopping.signal })) {
    cli.stdout.frame(data);
  }
  return exit.interrupted;
}
