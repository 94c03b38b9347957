import { type DoneReason, type EventOf, faultSentence, type Session, type SessionEvent } from "@drover/core";
import type { Desk } from "../ask/desk.ts";
import { style } from "../terminal/styled.ts";
import type { Screen } from "../view/screen.ts";
import { stateWords } from "../view/state.ts";
import { oneLine } from "../view/text.ts";
import { Transcript } from "../view/transcript.ts";
import { count, pausedLine } from "../view/words.ts";
import type { SnapshotFrame } from "./frames.ts";
import { endingLine } from "./turn-end.ts";

const { bold, dim, red, yellow } = style;

/** How many earlier items are shown on arrival; `drover logs` prints all of them. */
const shownItems = 20;

export interface SessionViewOptions {
  readonly screen: Screen;
  readonly desk: Desk;
  /** Explains the keys, if there is a keyboard. */
  readonly hint: string | undefined;
  readonly onTurnEnd: () => void;
}

/** Shows a session's stream: its transcript, its state and its queue. Approvals and questions go to the desk. */
export class SessionView {
  private readonly options: SessionViewOptions;
  private readonly screen: Screen;
  private readonly desk: Desk;
  private readonly transcript: Transcript;
  private name = "";
  private turnStartedAt: string | undefined;
  private lastError: string | undefined;
  private queueLine: string | undefined;

  constructor(options: SessionViewOptions) {
    this.options = options;
    this.screen = options.screen;
    this.desk = options.desk;
    this.transcript = new Transcript(options.screen, { messages: true });
  }

  snapshot({ session, items, interactions, before, reset }: SnapshotFrame): void {
    this.name = session.name;
    if (reset) this.screen.line(dim("· the log was replaced; showing the session as it is now"));
    const where = `${session.agent} in ${session.cwd} · ${stateWords(session)}`;
    this.screen.line([bold(session.name), "  ", dim(where)]);
    if (this.options.hint) this.screen.line(dim(this.options.hint));
    const shown = items.slice(-shownItems);
    if (before !== undefined || shown.length < items.length) {
      this.screen.line(dim(`· earlier: drover logs ${session.name}`));
    }
    for (const item of shown) this.transcript.item(item);
    if (!session.turn) this.transcript.endText();
    this.turnStartedAt = session.turn?.startedAt;
    this.screen.busy(session.turn ? "working" : "");
    if (!session.turn) this.noTurn(session);
    this.queue(session.queued, session.queuePaused);
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
      case "queue_update":
        this.queue(event.messages.length, event.paused);
        break;
      case "error":
        this.lastError = faultSentence(event.message, event);
        break;
      case "done":
        this.turnEnded(event);
        break;
    }
  }

  /** Says why nothing is happening, so that an idle session does not look like a hanging one. */
  private noTurn({ name, state, lastTurn, reason }: Session): void {
    if (state === "crashed" || state === "stopped") {
      const why = state === "crashed" && reason ? `: ${oneLine(reason.message)}` : "";
      const words = (state === "crashed" ? red : dim)(`· ${state}${why}.`);
      this.screen.line([words, ` \`drover resume ${name}\` starts it again.`]);
    } else if (state === "idle" && lastTurn && !lastTurn.ok) {
      const why = lastTurn.message === undefined ? "" : `: ${oneLine(lastTurn.message)}`;
      this.screen.line(red(`· idle, the last turn ${endings[lastTurn.reason] ?? "failed"}${why}`));
    } else if (state === "idle") this.screen.line(dim("· idle, waiting for a message"));
  }

  /** Only changes are shown. */
  private queue(length: number, isPaused: boolean): void {
    const line =
      isPaused && length > 0 ? pausedLine({ name: this.name, queued: length }) : queuedLine(length);
    if (line !== undefined && line !== this.queueLine) {
      this.screen.line((isPaused ? yellow : dim)(`· ${line}`));
    }
    this.queueLine = line;
  }

  private turnEnded(event: EventOf<"done">): void {
    const { turnStartedAt: startedAt, lastError } = this;
    this.screen.busy("");
    this.screen.line(endingLine(event, { startedAt, lastError }) ?? red("✗ The turn failed"));
    this.lastError = undefined;
    this.options.onTurnEnd();
  }
}

/** How the last turn of an idle session ended; "failed" if not listed. */
const endings: Readonly<Partial<Record<DoneReason, string>>> = {
  cancelled: "was interrupted",
  usage_limit: "reached the usage limit",
  crashed: "crashed",
};

const queuedLine = (length: number): string | undefined =>
  length === 0 ? undefined : `${count(length, "message")} queued`;
