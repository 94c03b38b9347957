import { faultSentence, type Receipt, type Session, type SessionEvent } from "@drover/core";
import { Desk } from "../ask/desk.ts";
import { Keyboard } from "../ask/keyboard.ts";
import type { Cli } from "../cli.ts";
import { type ExitCode, exit } from "../exit.ts";
import type { Client } from "../server/client.ts";
import { Screen } from "../view/screen.ts";
import { Transcript } from "../view/transcript.ts";
import { Departure } from "./departure.ts";
import { readSession } from "./frames.ts";
import { Interrupts } from "./interrupts.ts";
import { OwnTurn } from "./own-turn.ts";
import { markSeen } from "./seen.ts";
import { endingLine, turnExit } from "./turn-end.ts";

export interface TurnOptions {
  readonly json?: boolean | undefined;
  readonly yes?: boolean | undefined;
  /** False with --no-wait: stop watching as soon as a person is needed. */
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

/** Watches one message's turn until it ends. The agent's text goes to standard output, everything else to standard error. */
export async function watchTurn(cli: Cli, { client, session, receipt, options }: Turn): Promise<ExitCode> {
  const departure = new Departure();
  const ownTurn = new OwnTurn(client, receipt);
  using screen = new Screen(cli);
  using interrupts = new Interrupts(cli, {
    ...{ client, screen, sessionId: session.id },
    onDetach: () => departure.leave(exit.interrupted, `${session.name} is still running.`),
  });
  using _timer = callAfter(options.timeout, () =>
    departure.leave(exit.timeout, `${session.name} is not done yet and is still running.`),
  );
  using keyboard = new Keyboard(cli);
  const mayAsk = cli.stdin.isTTY && cli.stderr.isTerminal && options.wait && !options.json;
  using desk = new Desk({
    ...{ client, screen, server: options.server },
    keyboard: mayAsk ? keyboard : undefined,
    isApproved: (interaction) => options.yes === true && interaction.turnId === ownTurn.turnId,
    onDeferred: () => {
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
      screen.line(`The message was dropped from the queue of ${session.name} before its turn started.`);
      return exit.failed;
    }
    if (whose === "others" || event.type === "snapshot") continue;
    view.show(event, data);
    if (event.type !== "done") continue;
    await markSeen(client, session.id, event.seq);
    return turnExit(event, interrupts.hasInterrupted);
  }
  const { code, words } = departure.reason();
  screen.endText();
  const next = `\`drover attach ${session.name}\` shows it, \`drover interrupt ${session.name}\` interrupts it.`;
  if (words) screen.line(`${words} ${next}`);
  return code;
}

/** Shows one turn's frames, unchanged with --json and otherwise for people. Approvals and questions go to the desk. */
class TurnView {
  private readonly cli: Cli;
  private readonly targets: { readonly screen: Screen; readonly desk: Desk; readonly json: boolean };
  private readonly transcript: Transcript;
  /** The last error on the screen. */
  private lastError: string | undefined;
  private startedAt: string | undefined;

  constructor(cli: Cli, targets: TurnView["targets"]) {
    this.cli = cli;
    this.targets = targets;
    this.transcript = new Transcript(targets.screen, { messages: false });
  }

  show(event: SessionEvent, data: string): void {
    const { screen, desk, json } = this.targets;
    if (json) this.cli.stdout.frame(data);
    else this.transcript.event(event);
    if (event.type === "approval_required" || event.type === "question_prompt") desk.asked(event);
    if (event.type === "interaction_resolved") desk.resolved(event.interactionId);
    if (event.type === "turn_start" || event.type === "interaction_resolved") screen.busy("working");
    if (event.type === "turn_start") this.startedAt = event.at;
    if (event.type === "error" && !json) this.lastError = faultSentence(event.message, event);
    if (event.type !== "done") return;
    screen.busy("");
    const { startedAt, lastError } = this;
    const line = endingLine(event, { startedAt, lastError });
    if (line !== undefined && !(json && event.ok)) screen.line(line);
  }
}

/** Calls back once after a time, unless disposed first; never if the time is undefined. */
function callAfter(milliseconds: number | undefined, call: () => void): Disposable {
  const timer = milliseconds === undefined ? undefined : setTimeout(call, milliseconds);
  return { [Symbol.dispose]: () => clearTimeout(timer) };
}
