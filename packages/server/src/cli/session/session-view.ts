import type { SessionEvent } from "@drover/core";
import type { Desk } from "../ask/desk.ts";
import { style } from "../terminal/styled.ts";
import type { Screen } from "../view/screen.ts";
import { Transcript } from "../view/transcript.ts";
import { age } from "../view/words.ts";
import type { SnapshotFrame } from "./frames.ts";

const { bold, dim, red } = style;

/** So much of what was said before is shown on arrival; `drover logs` has all of it. */
const shownItems = 20;

export interface SessionViewOptions {
  readonly screen: Screen;
  readonly desk: Desk;
  /** What the keys do, where there are any. */
  readonly hint: string | undefined;
  readonly onTurnEnd: () => void;
}

/** A session's stream on the screen: its transcript, its state, and at the desk what it asks. */
export class SessionView {
  private readonly options: SessionViewOptions;
  private readonly screen: Screen;
  private readonly desk: Desk;
  private readonly transcript: Transcript;
  private turnStartedAt: string | undefined;

  constructor(options: SessionViewOptions) {
    this.options = options;
    this.screen = options.screen;
    this.desk = options.desk;
    this.transcript = new Transcript(options.screen, { messages: true });
  }

  snapshot({ session, items, interactions, before, reset }: SnapshotFrame): void {
    if (reset) this.screen.line(dim("· the log was replaced; this is how it stands now"));
    const where = `${session.agent} in ${session.cwd} · ${session.state}`;
    this.screen.line([bold(session.name), "  ", dim(where)]);
    if (this.options.hint) this.screen.line(dim(this.options.hint));
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
      case "done": {
        const took = this.turnStartedAt ? ` after ${age(this.turnStartedAt, Date.parse(event.at))}` : "";
        this.screen.busy("");
        this.screen.line((event.ok ? dim : red)(`— ${event.reason.replaceAll("_", " ")}${took}`));
        this.options.onTurnEnd();
        break;
      }
    }
  }
}
