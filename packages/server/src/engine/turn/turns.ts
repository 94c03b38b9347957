import { type Attempt, isSameAttempt } from "@drover/core";
import type { AgentBatch } from "../../ports.ts";
import type { AgentLink } from "../agent/link.ts";
import { Checkpointer } from "../checkpoints/checkpointer.ts";
import { Intake } from "../intake/intake.ts";
import type { Committed } from "../session/journal.ts";
import type { SessionLog } from "../session/log.ts";
import { WorkerEnd } from "../workers/collect.ts";
import { Delivery } from "./delivery.ts";
import { Endings } from "./endings.ts";
import { Steering } from "./steering.ts";
import { TurnWatch } from "./watch.ts";

interface TurnsParts {
  readonly log: SessionLog;
  readonly link: AgentLink;
  /** Runs a task in the background. */
  readonly background: (task: () => Promise<unknown>) => void;
  readonly stalled: () => Promise<unknown>;
  /** The turn has ended: a queued message may start. */
  readonly turnEnded: () => Promise<unknown>;
}

/** A session's turns: delivers their prompts to the agent, records its output, and runs their timers. */
export class Turns {
  readonly endings: Endings;
  readonly checkpointer: Checkpointer;
  private readonly delivery: Delivery;
  private readonly steering: Steering;
  private readonly intake: Intake;
  private readonly watch: TurnWatch;
  readonly work: WorkerEnd;
  private readonly parts: TurnsParts;
  private delivering: Attempt | undefined;

  constructor(parts: TurnsParts) {
    const { log, link, background } = parts;
    this.parts = parts;
    this.intake = new Intake(log);
    this.checkpointer = new Checkpointer({
      ...{ log, background },
      agentIsGone: () => link.lastIsGone(),
      gateKnown: parts.turnEnded,
    });
    this.delivery = new Delivery({ log, link, checkpointer: this.checkpointer });
    this.steering = new Steering(log, link);
    this.watch = new TurnWatch(log.deps.settings, {
      stalled: () => background(parts.stalled),
      idle: () => background(() => this.endings.endIdle()),
      overdue: () => background(() => this.endings.endOverdue()),
      timedOut: () => this.runTimedOut(),
    });
    this.endings = new Endings({ log, link, watch: this.watch });
    this.work = new WorkerEnd(log, link, this.checkpointer);
  }

  /** Stores one batch of the agent's output. */
  async record(batch: AgentBatch): Promise<void> {
    await this.intake.record(batch);
    this.watch.spoke();
  }

  answerPending(): Promise<void> {
    return this.delivery.answerPending();
  }

  /** Reacts to what was stored, and to the attempt that starts with it. */
  react({ events }: Committed, attempt: Attempt | undefined): void {
    const { background, log } = this.parts;
    if (attempt) this.begin(attempt);
    for (const event of events) {
      // Restart the silence timer.
      if (event.type === "interaction_resolved" || event.type === "session_status") this.watch.spoke();
      if (event.type === "session_status" && event.state === "running") this.runStarted();
      if (event.type === "queue_update" && event.messages.some(({ steer }) => steer)) {
        background(() => this.steering.deliver());
      }
      if (event.type === "interaction_resolved" && !this.isAsking) this.watch.runReleased();
      // What a turn changed is decided: a message that waited for that may start.
      if (event.type === "interaction_resolved" && !log.journal.state.turn) background(this.parts.turnEnded);
      if (event.type === "done") {
        this.attemptEnded();
        this.watch.turnEnded();
        this.checkpointer.after(event.turnId);
        this.work.turnEnded();
        background(this.parts.turnEnded);
      }
    }
    this.collect();
    if (Object.values(log.journal.row.runtime.pending).some((request) => request.answer)) {
      background(() => this.delivery.answerPending());
    }
  }

  /** Resumes the turn that was running when the last server ended. */
  resume(): void {
    if (this.parts.log.journal.state.turn) {
      this.watch.turnStarted();
      if (this.parts.log.journal.row.runtime.attempt?.prompt.phase === "written") this.runStarted();
      this.parts.background(() => this.steering.deliver());
    }
    this.checkpointer.resume();
    this.collect();
    this.endings.insist();
    this.deliverAccepted();
  }

  /** Stops the timers. */
  close(): void {
    this.watch.stop();
  }

  private collect(): void {
    if (this.work.isDue) this.parts.background(() => this.work.collect());
  }

  private get isAsking(): boolean {
    return this.parts.log.journal.state.interactions.length > 0;
  }

  private runTimedOut(): void {
    if (this.isAsking) this.watch.runHeld();
    else this.parts.background(() => this.work.timeOut());
  }

  private runStarted(): void {
    const { about, runtime } = this.parts.log.journal.row;
    if (about.worker && runtime.attempt && !runtime.attempt.ended) this.watch.runStarted();
  }

  private begin(attempt: Attempt): void {
    if (attempt.n > 1) this.attemptEnded();
    this.deliver(attempt);
  }

  private attemptEnded(): void {
    this.intake.turnEnded();
    this.parts.link.turnEnded();
  }

  /** Delivers a prompt that is not on its way yet. */
  deliverAccepted(): void {
    const { attempt } = this.parts.log.journal.row.runtime;
    if (attempt?.prompt.phase === "accepted") this.deliver(attempt);
  }

  private deliver(attempt: Attempt): void {
    const { notBefore } = attempt;
    if (notBefore !== undefined && Date.parse(notBefore) > Date.now()) {
      // Its alarm delivers it; until then nothing is expected from the agent.
      this.watch.stop();
      return;
    }
    // Its alarm and the end of a recovery may both request it.
    if (isSameAttempt(this.delivering, attempt)) return;
    this.delivering = attempt;
    this.watch.turnStarted();
    this.parts.background(async () => {
      try {
        await this.delivery.prompt(attempt);
      } finally {
        if (this.delivering === attempt) this.delivering = undefined;
      }
      await this.steering.deliver();
    });
  }
}
