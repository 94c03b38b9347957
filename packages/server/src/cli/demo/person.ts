import type { EventOf, Interaction, Review, Session, SessionEvent } from "@drover/core";
import type { Cli } from "../cli.ts";
import { CliError, exit, RejectedError } from "../exit.ts";
import type { Client } from "../server/client.ts";
import { sessionPath } from "../server/paths.ts";
import { readSession } from "../session/frames.ts";
import { oneLine } from "../view/text.ts";
import type { DemoTask } from "./tasks.ts";

/** A worker with its task, and where it gets from here. */
export interface Assignment {
  readonly worker: Session;
  readonly task: DemoTask;
  /** Resolves when the work that has to come first is merged. */
  readonly isFree: Promise<unknown>;
}

interface Stage {
  readonly cli: Cli;
  readonly client: Client;
  /** Tells what happens. */
  readonly tell: (words: string) => void;
  readonly signal: AbortSignal;
}

/** The end of a worker's review. */
export type MergedReview = EventOf<"review">;

/** Plays the person for one worker: answers, reviews and merges, until its work is merged. */
export async function playPerson(stage: Stage, assignment: Assignment): Promise<MergedReview> {
  const person = new Person(stage, assignment);
  const { cli, client, signal } = stage;
  const { id: sessionId, name } = assignment.worker;
  for await (const { event } of readSession(cli, client, { sessionId, after: 0, signal })) {
    if (event.type === "snapshot") continue;
    if (event.type === "review" && event.state === "merged") return event;
    await person.see(event);
  }
  throw new CliError(
    exit.failed,
    `${name} took too long.`,
    `\`drover worker show ${name}\` shows what it is doing.`,
  );
}

/** The last event before there is something to do is one of these. */
const callsForPerson: ReadonlySet<string> = new Set(["review", "notice", "turn_changes", "session_status"]);

class Person {
  private readonly stage: Stage;
  private readonly assignment: Assignment;
  private isMerging = false;
  private hasAskedForChanges = false;

  constructor(stage: Stage, assignment: Assignment) {
    this.stage = stage;
    this.assignment = assignment;
  }

  async see(event: SessionEvent): Promise<void> {
    const { name } = this.assignment.worker;
    const { tell } = this.stage;
    if (event.type === "signal" && event.status === "done") tell(`${name} is done: ${event.result}`);
    if (event.type === "question_prompt") await this.answer(event);
    if (event.type === "done" && !event.ok) throw this.failed(event.error?.message ?? "its turn has failed");
    if (event.type === "review") this.followMerge(event);
    if (callsForPerson.has(event.type)) await this.unlessTooEarly(() => this.act(event));
  }

  private async answer({ questions = [] }: Interaction): Promise<void> {
    const { worker, task } = this.assignment;
    const [question] = questions;
    const { answer } = task;
    if (!question || answer === undefined) throw this.failed("it asks something that nobody expected");
    const options = question.options.map(({ label }) => label).join(" or ");
    this.stage.tell(`${worker.name} asks: ${question.question} ${options}?`);
    this.stage.tell(`  You answer: ${answer}. It continues where it was.`);
    await this.unlessTooEarly(() => this.post("resume", { answers: { [question.id]: answer } }));
  }

  private followMerge({ state, checks }: Review): void {
    const { name } = this.assignment.worker;
    if (this.isMerging && state === "changes_requested") {
      this.stage.tell(`The checks failed on the result of merging ${name}: ${checks?.command}.`);
      this.stage.tell(`  Nothing is merged. ${name} gets the output and tries again.`);
    }
    this.isMerging = state === "merging";
  }

  /** Does what a person would do about the work as it is now. What led to it has been reported by then. */
  private async act({ seq }: SessionEvent): Promise<void> {
    const { worker, task, isFree } = this.assignment;
    const { tell } = this.stage;
    const { name } = worker;
    const session = await this.get<Session>();
    if (session.lastSeq > seq || !isAtRest(session)) return;
    if (session.review?.state === "accepted") return void (await this.post("merge"));
    if (session.review?.state !== "open") return;
    await isFree;
    const { state, conflicts, unresolved, work, into } = await this.get<Review>("review");
    if (state !== "open" || unresolved) return;
    if (task.changes !== undefined && !this.hasAskedForChanges) {
      await this.post("review", { do: "request_changes", message: task.changes, work });
      this.hasAskedForChanges = true;
      return tell(`  You look at what ${name} did, and ask for more: ${task.changes}`);
    }
    if (conflicts) {
      await this.post("update", { ask: true });
      tell(`${conflicts.join(", ")} of ${name} conflicts with what has been merged meanwhile.`);
      return tell(`  You bring ${into} into its branch, and ask ${name} to resolve the conflict.`);
    }
    await this.post("review", { do: "accept", work });
    tell(`  You accept the work of ${name}. Its merge waits for earlier ones, and for the checks.`);
    await this.post("merge");
  }

  /** Something may have changed meanwhile: then another event follows. Git may take too long on a busy machine. */
  private async unlessTooEarly(action: () => Promise<unknown>): Promise<void> {
    try {
      await action();
    } catch (error) {
      if (!(error instanceof RejectedError)) throw error;
      const isSlow = error.code === "REQUEST_TIMEOUT" && !this.stage.signal.aborted;
      if (isSlow) return this.unlessTooEarly(action);
      if (error.exit !== exit.conflict) throw error;
    }
  }

  private get<T>(...what: readonly string[]): Promise<T> {
    return this.stage.client.get<T>(sessionPath(this.assignment.worker.id, ...what));
  }

  private post(what: string, body?: unknown): Promise<unknown> {
    return this.stage.client.post(sessionPath(this.assignment.worker.id, what), body);
  }

  private failed(why: string): CliError {
    const { name } = this.assignment.worker;
    const next = `\`drover worker show ${name}\` shows more.`;
    return new CliError(exit.failed, `${name} could not finish: ${oneLine(why)}.`, next);
  }
}

const isAtRest = ({ state, turn, queued }: Session): boolean => state === "idle" && !turn && queued === 0;
