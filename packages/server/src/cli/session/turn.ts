import { faultSentence, type Receipt, type Session, type SessionEvent } from "@drover/core";
import { Desk } from "../ask/desk.ts";
import { Keyboard } from "../ask/keyboard.ts";
import type { Cli } from "../cli.ts";
import { type ExitCode, exit } from "../exit.ts";
import type { Client } from "../server/client.ts";
import { style } from "../terminal/styled.ts";
import { Screen } from "../view/screen.ts";
import { oneLine } from "../view/text.ts";
import { Transcript } from "../view/transcript.ts";
import { Departure } from "./departure.ts";
import { readSession } from "./frames.ts";
import { Interrupts } from "./interrupts.ts";
import { OwnTurn } from "./own-turn.ts";
import { turnExit, whyEnded } from "./turn-end.ts";

export interface TurnOptions {
  readonly json?: boolean | undefined;
  readonly yes?: boolean | undefined;
  /** --no-wait: leave as soon as a person is needed. */
  readonly wait: boolean;
  readonly timeout?: number | undefined;
  readonly server?: string | undefined;
}

export interface Turn {
  readonly client: Client;
  readonly session: Pick<Session, "id" | "name">;
  readonly receipt: Receipt;
  readonly options: TurnOptions;
}

/** Watches the turn of one message to its end: text to standard output, the rest to standard error. */
export async function watchTurn(cli: Cli, { client, session, receipt, options }: Turn): Promise<ExitCode> {
  const departure = new Departure();
  const ownTurn = new OwnTurn(client, receipt);
  using screen = new Screen(cli);
  using interrupts = new Interrupts(cli, {
    ...{ client, screen, sessionId: session.id },
    onDetach: () => departure.leave(exit.interrupted, `${session.name} goes on without you.`),
  });
  using _timer = afterwards(options.timeout, () =>
    departure.leave(exit.timeout, `${session.name} is not done yet and goes on.`),
  );
  using keyboard = new Keyboard(cli);
  const mayAsk = cli.stdin.isTTY && cli.stderr.isTerminal && options.wait && !options.json;
  using desk = new Desk({
    ...{ client, screen, server: options.server },
    keyboard: mayAsk ? keyboard : undefined,
    isApproved: (interaction) => options.yes === true && interaction.turnId === ownTurn.turnId,
    onLeft: () => {
      if (!options.wait) departure.leave(exit.needsPerson);
    },
    onInterrupt: () => interrupts.press(),
    onFailure: (error) => departure.fail(error),
  });
  const view = new TurnView(cli, { screen, desk, json: options.json === true });
  screen.busy("starting");
  const source = { sessionId: session.id, after: receipt.cursor, signal: departure.signal };
  for await (const { event, data } of readSession(cli, client, source)) {
    const whose = await ownTurn.take(event);
    if (whose === "gone") {
      screen.line(`The message was dropped from the queue of ${session.name} before its turn came.`);
      return exit.failed;
    }
    if (whose === "others" || event.type === "snapshot") continue;
    view.show(event, data);
    if (event.type === "done") return turnExit(event, interrupts.hasInterrupted);
  }
  const { code, words } = departure.reason();
  screen.endText();
  const next = `\`drover attach ${session.name}\` shows it, \`drover interrupt ${session.name}\` ends its turn.`;
  if (words) screen.line(`${words} ${next}`);
  return code;
}

/** One turn's frames: as they are with --json, else for people; what is asked goes to the desk either way. */
class TurnView {
  private readonly cli: Cli;
  private readonly to: { readonly screen: Screen; readonly desk: Desk; readonly json: boolean };
  private readonly transcript: Transcript;
  private lastError: string | undefined;

  constructor(cli: Cli, to: TurnView["to"]) {
    this.cli = cli;
    this.to = to;
    this.transcript = new Transcript(to.screen, { messages: false });
  }

  show(event: SessionEvent, data: string): void {
    const { screen, desk, json } = this.to;
    if (json) this.cli.stdout.frame(data);
    else this.transcript.event(event);
    if (event.type === "approval_required" || event.type === "question_prompt") desk.asked(event);
    if (event.type === "interaction_resolved") desk.resolved(event.interactionId);
    if (event.type === "turn_start" || event.type === "interaction_resolved") screen.busy("working");
    if (event.type === "error") this.lastError = faultSentence(event.message, event);
    if (event.type !== "done") return;
    screen.busy("");
    const why = whyEnded(event);
    const isNews = json || why !== this.lastError;
    if (!event.ok && isNews) screen.line(style.red(`✗ ${oneLine(why)}`));
  }
}

/** Calls back once after that time, unless disposed before; never without a time. */
function afterwards(milliseconds: number | undefined, call: () => void): Disposable {
  const timer = milliseconds === undefined ? undefined : setTimeout(call, milliseconds);
  return { [Symbol.dispose]: () => clearTimeout(timer) };
}
