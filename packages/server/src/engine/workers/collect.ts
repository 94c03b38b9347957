import {
  type Attempt,
  type AttemptOutcome,
  type Collected,
  deniedCalls,
  type EventBody,
  Fault,
  type FollowUps,
  isSameAttempt,
  modeRules,
  restoreOutcome,
  type Signal,
  type StopReason,
  signalCallId,
} from "@drover/core";
import type { FoundSignal, WorkspacePlace } from "../../ports.ts";
import type { AgentLink } from "../agent/link.ts";
import type { Checkpointer } from "../checkpoints/checkpointer.ts";
import { putBack } from "../output/put-back.ts";
import { type Output, proposalsIn, readOutput } from "../output/read-output.ts";
import type { SessionLog } from "../session/log.ts";
import { spokenDuration } from "../turn/pending-answers.ts";
import { settleAttempt } from "../turn/settle-attempt.ts";
import { workerFollowUps } from "./follow-ups.ts";
import { saidIn } from "./said.ts";

/** Ends the attempts of a worker: collects what each one left, and settles it by that. */
export class WorkerEnd {
  private readonly log: SessionLog;
  private readonly link: AgentLink;
  private readonly checkpointer: Checkpointer;
  private running: Promise<void> | undefined;
  /** The process has ended, and the signal will say why. */
  private postponed: ((why?: StopReason) => void) | undefined;

  constructor(log: SessionLog, link: AgentLink, checkpointer: Checkpointer) {
    this.log = log;
    this.link = link;
    this.checkpointer = checkpointer;
  }

  /** Whether an attempt is over and not settled yet. */
  get isDue(): boolean {
    return this.log.journal.row.runtime.attempt?.ended !== undefined;
  }

  /** Its run has taken as long as it may. */
  async timeOut(): Promise<void> {
    const { deps, journal } = this.log;
    const { attempt } = journal.row.runtime;
    if (!attempt || attempt.prompt.phase === "accepted") return;
    const message = `The run took longer than ${spokenDuration(deps.settings.workers.turnTimeoutMs)} (workers.turnTimeout).`;
    const fault = new Fault("TIMEOUT", message, { retry: "same" });
    await settleAttempt(this.log, attempt, { type: "failed", fault });
  }

  /** A process ended. What a worker's signal says about that is better known a little later. */
  stopped(reason: StopReason, announce: (reason: StopReason) => void): void {
    const isByItself = reason === "turn_over" || reason === "crashed";
    const { row, state } = this.log.journal;
    if (isByItself && row.about.worker && state.turn) this.postponed = (why = reason) => announce(why);
    else announce(reason);
  }

  private announceStop(signalled?: StopReason): void {
    this.postponed?.(signalled);
    this.postponed = undefined;
  }

  /** Its process ends with the turn, also if a person has ended that. */
  turnEnded(): void {
    const { deps, journal } = this.log;
    if (journal.row.about.kind !== "worker") return;
    this.announceStop();
    deps.workers.slots.grant();
    if (this.link.isBusy && !this.link.isClosing) void this.link.stop("turn_over").catch(() => undefined);
  }

  /** Concurrent callers share one collection. After a crash the next server starts over: nothing is done twice. */
  collect(): Promise<void> {
    this.running ??= this.run().finally(() => {
      this.running = undefined;
    });
    return this.running;
  }

  private async run(): Promise<void> {
    const { deps, journal } = this.log;
    const { attempt, run } = journal.row.runtime;
    const { worker } = journal.row.about;
    if (!attempt?.ended || !worker) return;
    const outcome = restoreOutcome(attempt.ended.outcome);
    const isUncertain = attempt.prompt.phase === "writing";
    // It may be working on a prompt that will be repeated.
    if (isUncertain) await this.end("turn_over", 0);
    const { cwd, workspace } = journal.row;
    const found = await deps.workers.files.readSignal({ cwd, workspace }, () => saidIn(this.log, attempt));
    // What it does until its process ends is part of its work.
    const reason = stopReasonOf(found, outcome);
    await this.end(
      reason ?? "turn_over",
      outcome.type === "answered" ? deps.settings.workers.doneGraceMs : 0,
    );
    // The server shuts down, and its successor finds the process again.
    if (this.link.isClosing) return;
    this.announceStop(reason);
    const summary = await deps.workers.files.readSummary(cwd);
    const work = modeRules[worker.mode].changesFiles
      ? await this.commit({ cwd, workspace }, run)
      : await putBack(this.log, this.checkpointer);
    const output = found.isFound ? await readOutput(this.log, worker.mode, found.signal) : undefined;
    const { usage } = attempt.ended;
    const settled = found.isFound
      ? ofSignal(found.signal, { run, tries: attempt.n, ...(summary === undefined ? {} : { summary }) })
      : { events: [], outcome };
    const isLacking = output?.lacks !== undefined;
    await this.log.untilStored(async () => {
      const { attempt: now } = journal.row.runtime;
      if (!now || !isSameAttempt(now, attempt)) return;
      const { asks } = settled;
      const left = output && !isLacking ? await proposalsIn(this.log, output) : { events: [] };
      const events = [...(isLacking ? [] : settled.events), ...work, ...left.events];
      const collected: Collected = { events, ...(asks ? { asks } : {}) };
      await this.log.perform(
        {
          type: "settle_attempt",
          attempt: now,
          ...this.next(now, { found, output, outcome: settled.outcome }),
          ...(usage ? { usage } : {}),
          denied: deniedCalls(journal.timeline),
          collected,
        },
        left.proposals ? { proposals: left.proposals } : {},
      );
    });
  }

  /** A signal outranks everything else. Without one, the worker gets another try, or has failed. */
  private next(
    attempt: Attempt,
    { found, output, outcome }: Left,
  ): { outcome: AttemptOutcome; followUps: FollowUps } {
    const { deps } = this.log;
    if (!found.isFound)
      return workerFollowUps(deps, { attempt, outcome, lacks: "signal", problem: found.problem });
    if (output?.lacks === undefined) return { outcome, followUps: { maxAttempts: 1 } };
    return workerFollowUps(deps, { attempt, outcome, lacks: "output", problem: output.lacks });
  }

  private async end(reason: StopReason, graceMs: number): Promise<void> {
    try {
      await this.link.finish(reason, graceMs);
    } catch (error) {
      // A process that no one can end does not hold up its turn.
      if (!(error instanceof Fault)) throw error;
      const { id } = this.log.journal.row;
      this.log.deps.logger.error("A worker's process could not be ended", {
        session: id,
        error: error.message,
      });
    }
  }

  private async commit(place: WorkspacePlace, run: number): Promise<EventBody[]> {
    const { deps, journal } = this.log;
    const { id, about, runtime, state } = journal.row;
    // Conflicts that are left belong into no commit, and what has been resolved has two parents.
    if (runtime.update) return [];
    const turnId = state.turn?.id;
    const since = state.worker?.head;
    const order = { sessionId: id, run, subject: subjectOf(about.title), since };
    const done = await deps.workers.files.commit(place, order);
    const stamp = turnId === undefined ? {} : { turnId };
    if (done.ok) return done.value.count > 0 ? [{ type: "commits", ...stamp, ...done.value }] : [];
    const { code, message, facts } = done.error;
    const words = `Drover could not commit the worker's changes; they stay in its worktree. ${message}`;
    return [{ type: "notice", ...stamp, code: "NOT_COMMITTED", message: words, facts: { ...facts, code } }];
  }
}

interface Left {
  readonly found: FoundSignal;
  readonly output: Output | undefined;
  readonly outcome: AttemptOutcome;
}

const subjectOf = (title: string): string => title.replaceAll(/\s+/g, " ").trim() || "Work of a worker";

function stopReasonOf(found: FoundSignal, outcome: AttemptOutcome): StopReason | undefined {
  if (!found.isFound) {
    const hasCrashed = outcome.type === "answered" && outcome.fault?.code === "AGENT_CRASHED";
    return hasCrashed ? "crashed" : undefined;
  }
  const { status } = found.signal;
  if (status === "done") return "task_complete";
  return status === "questions" ? "waiting_for_input" : "error";
}

interface SignalFacts {
  readonly run: number;
  readonly tries: number;
  readonly summary?: string;
}

function ofSignal(
  signal: Signal,
  facts: SignalFacts,
): { events: EventBody[]; outcome: AttemptOutcome; asks?: Collected["asks"] } {
  const { status } = signal;
  const event = { type: "signal" as const, status, ...facts };
  switch (signal.status) {
    case "done": {
      const result = signal.result === undefined ? {} : { result: signal.result };
      return { events: [{ ...event, ...result }], outcome: { type: "answered", reason: "end_turn" } };
    }
    case "questions": {
      const { questions } = signal;
      const asks = { toolCallId: signalCallId(facts.run), questions };
      return { events: [event], outcome: { type: "answered", reason: "waiting_for_input" }, asks };
    }
    case "error": {
      const { error } = signal;
      const fault = new Fault("SIGNAL_ERROR", `The worker reported that it cannot do its task: ${error}`);
      return { events: [{ ...event, error }], outcome: { type: "answered", reason: "error", fault } };
    }
  }
}
