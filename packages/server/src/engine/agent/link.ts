import { type Connection, Fault, type ProcessTrigger, type StopReason } from "@drover/core";
import type { AgentConnection } from "../../ports.ts";
import { WorkspaceSetup } from "../workspaces/setup.ts";
import type { PromptStart } from "./open-process.ts";
import { lifetimeOf } from "./program-of.ts";
import { type ProcessOwner, ProcessRunner } from "./runner.ts";

/**
 * One session's connection to its agent: what the session asks for. Each request is a trigger of the table in core's
 * supervision/process.ts, which `ProcessRunner` carries out.
 */
export class AgentLink {
  private readonly runner: ProcessRunner;
  private readonly owner: ProcessOwner;
  private readonly setup: WorkspaceSetup;

  constructor(owner: ProcessOwner) {
    this.owner = owner;
    this.setup = new WorkspaceSetup(owner);
    this.runner = new ProcessRunner(owner, () => this.setUp());
  }

  get status(): Connection {
    return this.runner.status;
  }

  /** The connection to the running agent. */
  get live(): AgentConnection | undefined {
    return this.runner.connection;
  }

  /** A process is running or starting. */
  get isBusy(): boolean {
    if (this.setup.isRunning) return true;
    return this.runner.stage !== "none" && this.runner.stage !== "closed";
  }

  /** The process is being ended on purpose: failures are expected and not reported. */
  get isClosing(): boolean {
    return this.runner.stage === "stopping" || this.runner.stage === "closed";
  }

  /** The agent takes its prompt only when it starts: `startWith` instead of `ensure`. */
  get startsWithPrompt(): boolean {
    return lifetimeOf(this.owner.log) === "prompt";
  }

  /** The worktree has yet to be set up. */
  get needsSetup(): boolean {
    return this.setup.isDue;
  }

  /** Sets up a new worktree; does nothing if that is done, or while an agent is running. Rejects with a Fault. */
  async setUp(): Promise<void> {
    if (this.runner.stage === "closed") throw shuttingDown;
    if (!this.live) await this.setup.ensure();
  }

  /** Ends a setup that no turn needs any more. */
  cancelSetup(): Promise<void> {
    return this.setup.cancel();
  }

  /** The connection, started if there is none: concurrent callers share one start. Rejects with a Fault. */
  async ensure(): Promise<AgentConnection> {
    await this.lastIsGone();
    return this.use();
  }

  /** Starts the process of one prompt, after the end of the last process. Rejects with a Fault. */
  async startWith(prompt: PromptStart): Promise<void> {
    await this.runner.opening?.catch(() => undefined);
    await this.live?.ended;
    await this.lastIsGone();
    await this.use(prompt);
  }

  /** Starts the agent ahead of its next prompt, if it can wait for one. */
  warmUp(): void {
    // The connection's status says why a start failed.
    const isWorker = this.owner.log.journal.row.about.kind === "worker";
    if (!isWorker && !this.startsWithPrompt) void this.ensure().catch(() => undefined);
  }

  /** Attaches to the process that an earlier server started. Rejects with a Fault. */
  async attach(): Promise<void> {
    this.runner.apply({ type: "attach" });
    const connection = await this.runner.opening;
    await connection?.caughtUp;
  }

  /** Ends a process of an earlier server that is no longer needed. */
  async forgetProcess(): Promise<void> {
    const { process, setup } = this.owner.log.journal.row.runtime;
    // Before the worktree is set up, it is the process of a setup command.
    const wasAnnounced = process !== undefined && setup === undefined;
    await this.sweep();
    if (wasAnnounced) this.owner.stopped("shutdown");
  }

  turnEnded(): void {
    this.runner.apply({ type: "turn_ended" });
  }

  /** At a person's request: clears the count of retries and starts at once. Joins a start, keeps a connection. */
  reconnect(): void {
    this.runner.apply({ type: "reconnect" });
  }

  /** Asks the agent to end its turn. An agent that cannot be reached is ended when its time is up. */
  async cancel(turnId: string): Promise<void> {
    await this.live?.cancel(turnId).catch(() => undefined);
  }

  /** Ends what the session's last process left behind. */
  sweep(): Promise<void> {
    return this.runner.sweep();
  }

  /** Ends the whole process tree, or the start in progress. Rejects with a Fault if a process is still alive. */
  stop(reason: StopReason): Promise<void> {
    return this.end({ type: "stop", mode: "stop", reason });
  }

  /**
   * Ends the process of a worker whose attempt is over. If it would end with its turn anyway, it gets `graceMs` for that.
   * Rejects with a Fault if a process is still alive.
   */
  async finish(reason: StopReason, graceMs: number): Promise<void> {
    const { owner, runner } = this;
    await runner.opening?.catch(() => undefined);
    if (this.live && lifetimeOf(owner.log) !== "session") await endsWithin(this.live.ended, graceMs);
    await this.stop(reason);
    await runner.recorded;
  }

  /** Ends the process of a session that is being deleted; its last output stays unread. Rejects with a Fault. */
  discard(): Promise<void> {
    return this.end({ type: "stop", mode: "discard", reason: "user_requested" });
  }

  /** Ends the process because the server shuts down; queued messages are for the next server. Rejects with a Fault. */
  retire(): Promise<void> {
    return this.end({ type: "stop", mode: "retire", reason: "shutdown" });
  }

  /** Waits until no stop is in progress. A stop that fails is reported to its caller. */
  async settled(): Promise<void> {
    await this.runner.stopped.catch(() => undefined);
  }

  /** Leaves the agent running for the next server, and aborts a start in progress. */
  async detach(): Promise<void> {
    this.runner.apply({ type: "close" });
    await this.setup.cancel();
    await this.runner.detached;
  }

  private async end(stop: Extract<ProcessTrigger, { type: "stop" }>): Promise<void> {
    this.runner.apply(stop);
    const { stopped } = this.runner;
    const [, ended] = await Promise.allSettled([this.setup.cancel(), stopped]);
    if (ended.status === "rejected") throw ended.reason;
  }

  /** Waits for a process that accepts no more prompts: for its end, and until its exit is recorded. */
  async lastIsGone(): Promise<void> {
    const { runner } = this;
    do {
      if (this.live?.isOver) await this.live.ended;
      await this.settled();
      if (!this.live) await runner.recorded;
    } while (runner.stage === "stopping" || runner.stage === "recording" || this.live?.isOver);
  }

  private async use(prompt?: PromptStart): Promise<AgentConnection> {
    this.runner.apply({ type: "use" }, prompt ? { prompt } : {});
    const connection = this.live ?? this.runner.opening;
    if (!connection || this.runner.stage === "closed") throw shuttingDown;
    return connection;
  }
}

async function endsWithin(ended: Promise<unknown>, ms: number): Promise<void> {
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, ms).unref();
  await Promise.race([ended, late.promise]);
  clearTimeout(timer);
}

const shuttingDown = new Fault("AGENT_UNREACHABLE", "The server is shutting down");
