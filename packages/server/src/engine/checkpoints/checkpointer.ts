import { type Attempt, type ContextEntry, type EventBody, type SkippedFile, summarize } from "@drover/core";
import {
  type Checkpoint,
  CheckpointError,
  type CheckpointedSession,
  type SessionRuntime,
} from "../../ports.ts";
import { gateFor, unknownGate } from "../gate/gated-changes.ts";
import type { SessionLog } from "../session/log.ts";
import { Mailbox } from "../session/mailbox.ts";
import { capabilitiesIn } from "../session/view.ts";
import { inBackground, incomplete, noteFor, skipped, type When } from "./notices.ts";

type Pending = NonNullable<SessionRuntime["checkpoint"]>;

interface Finished {
  readonly turnId: string;
  /** For the agent's next prompt. */
  readonly note: ContextEntry | undefined;
}

interface CheckpointerParts {
  readonly log: SessionLog;
  /** Runs a task in the background. */
  readonly background: (task: () => Promise<unknown>) => void;
  /** Resolves when nothing of the last turn's process is left that could change files. */
  readonly agentIsGone: () => Promise<void>;
  /** What a gated turn changed is known: a queued message may start if there is nothing to approve. */
  readonly gateKnown: () => Promise<unknown>;
}

/** After this many skipped checkpoints in a row, no turn waits for one. */
const PATIENT_SKIPS = 2;
/** How much longer a checkpoint may take if no turn waits for it. */
const BACKGROUND_FACTOR = 12;

/**
 * Takes a session's checkpoints: before a prompt is handed over, and when its turn has ended. Neither fails a turn, and
 * none delays it for longer than `checkpointTimeoutMs`.
 */
export class Checkpointer {
  private readonly log: SessionLog;
  private readonly parts: CheckpointerParts;
  /** The files are read by one task at a time. */
  private readonly work = new Mailbox();
  /** The checkpoint after the last turn, while it is being taken. */
  private running: { readonly turnId: string; readonly taken: Promise<void> } | undefined;
  private skips = 0;
  private last: string | undefined;
  private readonly reported = new Set<string>();

  constructor(parts: CheckpointerParts) {
    this.parts = parts;
    this.log = parts.log;
  }

  get session(): CheckpointedSession {
    const { id, cwd } = this.log.journal.row;
    return { sessionId: id, cwd };
  }

  /** What a turn starts from: stored with the prompt. Undefined if there is nothing to keep. Never rejects. */
  async before({ turnId }: Attempt): Promise<Pending | undefined> {
    const { checkpoint } = this.log.journal.row.runtime;
    if (checkpoint?.turnId === turnId) return checkpoint;
    if (checkpoint) this.after(checkpoint.turnId);
    if (this.skips >= PATIENT_SKIPS) {
      return { turnId, ...(this.running || !this.last ? {} : { before: this.last }) };
    }
    const mayGate = this.mayGate();
    try {
      const begun = await within(this.limitMs, this.begin(turnId));
      return begun && mayGate ? { ...begun, isGated: true } : begun;
    } catch (error) {
      await this.reportSkip(error, { turnId, when: "before", isReadOnly: mayGate });
      return { turnId };
    }
  }

  /** Takes the checkpoint after a turn, once, in the background. */
  after(turnId: string): void {
    const { checkpoint } = this.log.journal.row.runtime;
    if (checkpoint?.turnId !== turnId || this.running?.turnId === turnId) return;
    const taken = this.finish(checkpoint).finally(() => {
      if (this.running?.taken === taken) this.running = undefined;
    });
    this.running = { turnId, taken };
    this.parts.background(() => taken);
  }

  /** Continues what the last server did not finish. */
  resume(): void {
    const { checkpoint } = this.log.journal.row.runtime;
    if (checkpoint && checkpoint.turnId !== this.log.journal.state.turn?.id) this.after(checkpoint.turnId);
  }

  /** Waits for the checkpoint after the last turn, but no longer than a turn would. */
  async settled(): Promise<void> {
    if (this.running) await within(this.limitMs, this.running.taken).catch(() => undefined);
  }

  /** A checkpoint of the present; rejects with a `CheckpointError`. */
  async take(limitMs: number): Promise<Checkpoint | undefined> {
    const start = performance.now();
    let isLate = false;
    const taking = this.work.run(async () => {
      const leftMs = limitMs - (performance.now() - start);
      if (isLate || leftMs <= 0) return undefined;
      return this.log.deps.checkpoints.take(this.session, leftMs);
    });
    const taken = await within(limitMs, taking).catch((error: unknown) => {
      isLate = true;
      throw error;
    });
    if (taken) {
      this.skips = 0;
      this.last = taken.commit;
      await this.reportIncomplete(taken.skipped);
    }
    return taken;
  }

  /** Runs a task while no checkpoint is being taken. It must not wait for the session's mailbox. */
  exclusively<T>(task: () => Promise<T>): Promise<T> {
    return this.work.run(task);
  }

  get limitMs(): number {
    return this.log.deps.settings.checkpointTimeoutMs;
  }

  /** Whether the turn may change files that people approve afterwards. Without a checkpoint, it may not. */
  private mayGate(): boolean {
    const { deps, journal } = this.log;
    const { row } = journal;
    return row.about.permissionMode === "ask" && capabilitiesIn(deps, row).approvals === "gate";
  }

  private async begin(turnId: string): Promise<Pending | undefined> {
    // The row names one turn: the last one's checkpoint is finished before it names this one.
    await this.running?.taken;
    const taken = await this.take(this.limitMs);
    if (!taken) return undefined;
    const before = taken.commit;
    // A checkpoint that is not new is kept by the previous turn's refs, or a branch, until this turn has its own.
    if (taken.isNew) await this.log.deps.checkpoints.keep(this.session, turnId, { before });
    return { turnId, before };
  }

  private async finish({ turnId, before, about, isGated }: Pending): Promise<void> {
    const events: EventBody[] = [];
    let note: ContextEntry | undefined;
    if (isGated) await this.parts.agentIsGone();
    try {
      // No turn starts before a gated one is known.
      const isPatient = isGated === true || this.skips >= PATIENT_SKIPS;
      const limitMs = this.limitMs * (isPatient ? BACKGROUND_FACTOR : 1);
      const known = new Set(this.reported);
      const taken = await this.take(limitMs);
      if (taken) {
        const after = taken.commit;
        const { checkpoints } = this.log.deps;
        await checkpoints.keep(this.session, turnId, { before, after });
        const files = before === undefined ? [] : await checkpoints.compare(this.session, { before, after });
        if (files.length > 0) {
          if (about?.discarded && before) await checkpoints.unstage(this.session, { before, after });
          const partly = about?.reverts !== undefined && (await this.isPartial(about.reverts, after));
          const summary = { ...summarize(files), ...about, ...(partly ? { partly } : {}) };
          events.push({ type: "turn_changes", turnId, ...summary });
          if (about) note = noteFor(files.map(({ path }) => path));
        }
        const unseen = taken.skipped.filter(({ path }) => !known.has(path));
        if (isGated && before)
          events.push(...(await gateFor(this.log, { turnId, before, after, files, unseen })));
      }
    } catch (error) {
      await this.reportSkip(error, { turnId, when: "after" });
      if (isGated && before) events.push(unknownGate(this.log, { turnId, before }));
    }
    await this.commit(events, { turnId, note });
    if (isGated) this.parts.background(this.parts.gateKnown);
  }

  /** Whether a revert that was cut off has left files of its turn as they were. */
  private async isPartial(reverts: string, now: string): Promise<boolean> {
    const { checkpoints } = this.log.deps;
    const { before, after } = await checkpoints.ofTurn(this.session, reverts);
    if (before === undefined || after === undefined) return false;
    const changed = await checkpoints.compare(this.session, { before, after });
    const left = await checkpoints.compare(this.session, { before, after: now });
    return changed.some(({ path }) => left.some((each) => each.path === path));
  }

  private async commit(events: readonly EventBody[], finished?: Finished): Promise<void> {
    await this.log.untilStored(async () => {
      const { checkpoint, contexts } = this.log.journal.row.runtime;
      const isFinished = finished !== undefined && checkpoint?.turnId === finished.turnId;
      const noted = finished?.note && { contexts: { ...contexts, [finished.turnId]: [finished.note] } };
      const runtime = isFinished ? { runtime: { checkpoint: null, ...noted } } : {};
      if (isFinished || events.length > 0)
        await this.log.commit({ events, ...runtime, durability: "output" });
    });
  }

  private async reportSkip(
    error: unknown,
    about: { turnId: string; when: When; isReadOnly?: boolean },
  ): Promise<void> {
    const { logger } = this.log.deps;
    const reason = error instanceof CheckpointError ? error.reason : "failed";
    logger.warn("No checkpoint was taken", {
      session: this.session.sessionId,
      ...about,
      error: String(error),
    });
    this.skips += 1;
    if (this.skips > PATIENT_SKIPS) return;
    const notices = [skipped({ ...about, reason, limitMs: this.limitMs })];
    if (this.skips === PATIENT_SKIPS) notices.push(inBackground());
    await this.commit(notices);
  }

  private async reportIncomplete(files: readonly SkippedFile[]): Promise<void> {
    const news = files.filter(({ path }) => !this.reported.has(path));
    if (news.length === 0) return;
    for (const { path } of news) this.reported.add(path);
    await this.commit([incomplete(news)]);
  }
}

/** Rejects if it takes longer; the work itself continues. */
async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new CheckpointError("timeout", `It took over ${ms} ms`)), ms);
  return Promise.race([work, late.promise]).finally(() => clearTimeout(timer));
}
