import type { EventOf, Receipt, Session, SessionEvent } from "@drover/core";
import { Desk } from "../ask/desk.ts";
import { Keyboard } from "../ask/keyboard.ts";
import type { Cli } from "../cli.ts";
import { type ExitCode, exit } from "../exit.ts";
import type { Client } from "../server/client.ts";
import { sessionPath } from "../server/paths.ts";
import { Screen } from "../view/screen.ts";
import { oneLine } from "../view/style.ts";
import { Transcript } from "../view/transcript.ts";
import { readSession, type SnapshotFrame, type Told } from "./frames.ts";
import { Interrupts } from "./interrupts.ts";

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

/** Why the watching ended before the turn did. */
interface Leaving {
  readonly code: ExitCode;
  readonly words?: string;
}

/** Watches the turn of one message to its end: text to standard output, the rest to standard error. */
export async function watchTurn(cli: Cli, turn: Turn): Promise<ExitCode> {
  const { client, session, options } = turn;
  const leaving = new AbortController();
  const leave = (reason: Leaving) => leaving.abort(reason);
  using screen = new Screen(cli);
  using interrupts = new Interrupts(cli, {
    ...{ client, screen, sessionId: session.id },
    onDetach: () => leave({ code: exit.interrupted, words: `${session.name} goes on without you.` }),
  });
  using keyboard = new Keyboard(cli);
  let failure: { error: unknown } | undefined;
  const mayAsk = cli.stdin.isTTY && cli.stderr.isTTY && options.wait && !options.json;
  const watcher = new TurnWatcher(turn);
  using desk = new Desk({
    ...{ client, screen, server: options.server },
    keyboard: mayAsk ? keyboard : undefined,
    isApproved: (interaction) => options.yes === true && interaction.turnId === watcher.turnId,
    onLeft: () => {
      if (!options.wait) leave({ code: exit.needsPerson });
    },
    onInterrupt: () => interrupts.press(),
    onFailure: (error) => {
      failure ??= { error };
      leaving.abort();
    },
  });
  using _timer = afterwards(options.timeout, () =>
    leave({ code: exit.timeout, words: `${session.name} is not done yet and goes on.` }),
  );
  const transcript = new Transcript(screen, { messages: false });
  screen.busy("starting");
  const { cursor: after } = turn.receipt;
  for await (const told of readSession(cli, client, {
    ...{ sessionId: session.id, after, signal: leaving.signal },
  })) {
    const { event, data } = told;
    const ours = await watcher.take(told);
    if (ours === "gone") {
      screen.line(`The message was dropped from the queue of ${session.name} before its turn came.`);
      return exit.failed;
    }
    if (ours === "others" || event.type === "snapshot") continue;
    if (options.json) cli.stdout.write(`${data}\n`);
    else transcript.event(event);
    if (event.type === "approval_required" || event.type === "question_prompt") desk.asked(event);
    if (event.type === "interaction_resolved") desk.resolved(event.interactionId);
    if (event.type === "turn_start") screen.busy("working");
    if (event.type === "done") return finish(event, screen, interrupts.hasInterrupted);
  }
  if (failure) throw failure.error;
  transcript.endText();
  const { code, words } = leaving.signal.reason as Leaving;
  const next = `\`drover attach ${session.name}\` shows it, \`drover interrupt ${session.name}\` ends its turn.`;
  if (words) screen.line(`${words} ${next}`);
  return code;
}

/** Tells the frames of one message's turn from the others', however long it waits in the queue. */
class TurnWatcher {
  turnId: string | undefined;
  private readonly turn: Turn;
  /** Where the message left the queue; the next frame is the start of its turn, or it was dropped. */
  private leftQueueAt: number | undefined;

  constructor(turn: Turn) {
    this.turn = turn;
    this.turnId = turn.receipt.turnId;
  }

  async take({ event }: Told): Promise<"ours" | "others" | "gone"> {
    if (event.type === "snapshot") return this.isOver(event) ? "gone" : "others";
    const { messageId } = this.turn.receipt;
    if (event.type === "turn_start" && event.messageId === messageId) this.turnId = event.turnId;
    if (this.turnId !== undefined) return this.isOurs(event) ? "ours" : "others";
    if (this.leftQueueAt !== undefined) return "gone";
    if (event.type === "queue_update" && !event.messages.some((m) => m.messageId === messageId)) {
      this.leftQueueAt = event.seq;
      // Nothing may follow for hours: the session itself says whether this was the last event.
      const session = await this.turn.client.get<Session>(sessionPath(this.turn.session.id));
      if (session.lastSeq <= event.seq) return "gone";
    }
    return "others";
  }

  /** Frames without a turn, such as the queue's, are told to whoever watches. */
  private isOurs(event: SessionEvent): boolean {
    return event.turnId === undefined || event.turnId === this.turnId;
  }

  /** The log no longer has our number (a restored backup): only the session can tell whether the turn still runs. */
  private isOver({ session, queue }: SnapshotFrame): boolean {
    const { messageId } = this.turn.receipt;
    return session.turn?.messageId !== messageId && !queue.messages.some((m) => m.messageId === messageId);
  }
}

function finish(done: EventOf<"done">, screen: Screen, wasInterrupted: boolean): ExitCode {
  screen.busy("");
  if (done.reason === "cancelled" && wasInterrupted) return exit.interrupted;
  if (done.reason === "waiting_for_input") return exit.needsPerson;
  if (done.ok) return exit.done;
  const why = done.error ? oneLine(done.error.message) : endings[done.reason];
  screen.line(screen.style.red(`The turn did not end well: ${why}`));
  return exit.failed;
}

const endings: Readonly<Record<EventOf<"done">["reason"], string>> = {
  end_turn: "it ended",
  waiting_for_input: "it waits for answers",
  max_tokens: "the agent ran out of tokens for one answer",
  max_turns: "the agent reached its limit of steps",
  refusal: "the model refused",
  cancelled: "it was interrupted",
  usage_limit: "the account's usage limit is reached",
  auth: "the agent is not logged in; `drover doctor` looks",
  timeout: "it took too long",
  error: "the agent reported an error",
  crashed: "the agent's process ended; what it said so far is kept",
  uncertain:
    "nobody knows whether the agent got the message; look at the session and send it again if need be",
};

/** Calls back once after that time, unless disposed before; never without a time. */
function afterwards(milliseconds: number | undefined, call: () => void): Disposable {
  const timer = milliseconds === undefined ? undefined : setTimeout(call, milliseconds);
  return { [Symbol.dispose]: () => clearTimeout(timer) };
}
