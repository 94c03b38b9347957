import {
  type Connection,
  Fault,
  faultSentence,
  type ProcessEnding,
  restingConnection,
  type StopReason,
} from "@drover/core";
import type { AgentConnection, AgentExit } from "../../ports.ts";
import { describeExit } from "../turn/record-end.ts";
import { type Opener, type PromptStart, unwanted } from "./open-process.ts";
import { lifetimeOf } from "./program-of.ts";
import { AgentStarts, type Start } from "./starts.ts";
import { Supervisor } from "./supervisor.ts";

/** What a link needs of its session; every call into the log goes through the session's mailbox. */
export interface LinkOwner extends Opener {
  /** Status changed: announce it. */
  connectionChanged(connection: Connection): void;
  /** The session has a new process. */
  spawned(pid: number): void;
  /** The session's process is no more. */
  stopped(reason: StopReason): void;
  /** A start failed, and none follows by itself. */
  startFailed(fault: Fault): void;
  /** The trouble is over, for better or worse: whatever waited may go on. */
  goOn(): void;
  /** The process is gone and its last output recorded. */
  ended(exit: AgentExit, ending: ProcessEnding): Promise<void>;
  gaveUp(message: string, stderrTail: string | undefined): void;
}

/** One connection, from open to gone. */
interface Life {
  readonly connection: AgentConnection;
  /** The moment everything of it is recorded. */
  readonly over: Promise<void>;
  /** Its one turn is over and its process has not ended: an idle session holds none. */
  isSpent: boolean;
}

/**
 * One session's connection to its agent: started once however many ask, restarted within bounds, let go of. Whether
 * another try follows is the supervisor's to say.
 */
export class AgentLink {
  private readonly supervisor: Supervisor;
  private readonly starts: AgentStarts;
  private life: Life | undefined;
  /** The last words of the agent that ended or did not start. */
  private lastStderr: string | undefined;
  private stopping: { readonly reason: StopReason; readonly done: Promise<void> } | undefined;
  /** A process was announced, or found, and its end was not yet. */
  private isThere = false;
  private released = false;
  private readonly owner: LinkOwner;

  constructor(owner: LinkOwner) {
    this.owner = owner;
    const { deps, journal } = owner.log;
    const { supervision } = deps.settings;
    this.supervisor = new Supervisor(supervision, restingConnection(journal.state, supervision), {
      changed: (connection) => owner.connectionChanged(connection),
      tryNow: () => this.tryAgain("by-itself"),
      gaveUp: (message) => owner.gaveUp(message, this.lastStderr),
    });
    this.starts = new AgentStarts(owner, {
      spawned: (pid) => {
        this.isThere = true;
        owner.spawned(pid);
      },
      answered: (pid) => void this.supervisor.apply({ type: "ready", pid }),
      opened: (connection) => this.hold(connection),
      failed: (fault, start) => this.failed(fault, start),
    });
  }

  get status(): Connection {
    return this.supervisor.status;
  }

  /** The connection to the agent that runs now. */
  get live(): AgentConnection | undefined {
    return this.life?.connection;
  }

  /** There is a process, or one is on its way. */
  get isBusy(): boolean {
    return this.life !== undefined || this.starts.underWay !== undefined || this.supervisor.isWaiting;
  }

  /** On its way down: what fails now is not news to the session. */
  get isClosing(): boolean {
    return this.stopping !== undefined || this.released;
  }

  /** The agent takes its prompt by being started with it: `startWith` instead of `ensure`. */
  get startsWithPrompt(): boolean {
    return lifetimeOf(this.owner.log) === "prompt";
  }

  /** The connection, started when there is none: a hundred first uses start one process. Rejects with a Fault. */
  async ensure(): Promise<AgentConnection> {
    if (this.life?.connection.isOver) await this.life.over;
    if (this.life) {
      // It stayed after its turn, for work in the background, and now has another.
      this.life.isSpent = false;
      return this.life.connection;
    }
    return this.starts.underWay ?? this.use();
  }

  /** Starts the process of one prompt, after the last one's end. Rejects with a Fault. */
  async startWith(prompt: PromptStart): Promise<void> {
    await this.starts.underWay?.catch(() => undefined);
    await this.life?.over;
    await this.use({ prompt });
  }

  /** Starts the agent ahead of its next prompt, where it can wait for one. */
  warmUp(): void {
    // Why it did not start stands in its status.
    if (!this.startsWithPrompt) void this.ensure().catch(() => undefined);
  }

  /** Takes up the process a former server started. */
  async attach(): Promise<void> {
    this.isThere = true;
    const connection = await this.starts.begin({ attach: true });
    await connection.caughtUp;
  }

  /** A former server did not get to the end of starting its process: it is ended, and nothing of it is left. */
  async forgetStart(): Promise<void> {
    this.isThere = this.owner.log.journal.row.runtime.process !== undefined;
    await this.sweep();
    this.gone("shutdown");
  }

  /** Where every turn has a process of its own, this one has done its work: its end is no loss. */
  turnEnded(): void {
    if (this.life && lifetimeOf(this.owner.log) !== "session") this.life.isSpent = true;
  }

  /** By a person: the count starts over and a try is made at once; joins a start, leaves a connection alone. */
  reconnect(): void {
    if (this.startsWithPrompt && !this.life && !this.starts.underWay) {
      // Whether it can be started shows with the next prompt.
      this.supervisor.apply({ type: "rest" });
      return;
    }
    const { effect } = this.supervisor.apply({ type: "reconnect" });
    if (effect.type === "start") this.tryAgain("by-hand");
  }

  /** Only asks: what the agent cannot hear any more is ended by whoever waits for the end. */
  async cancel(turnId: string): Promise<void> {
    await this.live?.cancel(turnId).catch(() => undefined);
  }

  /** Ends what the session's last process left behind. */
  sweep(): Promise<void> {
    return this.starts.sweep();
  }

  /** Ends the process, whole tree, and proves it; also one that is still starting. Rejects with a Fault. */
  stop(reason: StopReason): Promise<void> {
    this.stopping ??= {
      reason,
      done: this.end().finally(() => {
        this.stopping = undefined;
      }),
    };
    return this.stopping.done;
  }

  /** Ends the process and leaves unread what it wrote last: its session is deleted. Rejects with a Fault. */
  async discard(): Promise<void> {
    this.supervisor.stop();
    await this.starts.giveUp();
    const connection = this.live;
    await connection?.stop().catch((error: unknown) => this.tellSurvivors(connection, error));
    this.released = true;
    connection?.detach();
    this.life = undefined;
    await this.starts.swept;
    this.gone("user_requested");
  }

  /** No process is on its way down: it is gone, or could not be ended, which is told to whoever wanted it. */
  async settled(): Promise<void> {
    await this.stopping?.done.catch(() => undefined);
  }

  /** Ends the process for good: a message that waits in the queue is the next server's. */
  retire(): Promise<void> {
    this.released = true;
    return this.stop("shutdown");
  }

  /** Lets go and leaves the agent running for the next server. One still starting is ended: it has nothing to lose. */
  async detach(): Promise<void> {
    this.released = true;
    this.supervisor.stop();
    await this.starts.giveUp();
    this.life?.connection.detach();
    this.life = undefined;
  }

  private use(start: Start = {}): Promise<AgentConnection> {
    if (this.released) throw new Fault("AGENT_UNREACHABLE", "The server is shutting down");
    this.supervisor.apply({ type: "use" });
    return this.starts.begin(start);
  }

  private tryAgain(how: NonNullable<Start["try"]>): void {
    if (this.life || this.starts.underWay) return;
    void this.starts.begin({ try: how }).then(
      () => this.owner.goOn(),
      () => {
        const { status, gaveUp } = this.status;
        if (status === "disconnected" && !gaveUp && !this.isClosing) this.owner.goOn();
      },
    );
  }

  private hold(connection: AgentConnection): void {
    const over = connection.ended.then((exit) => this.ended(connection, exit));
    this.life = { connection, over, isSpent: false };
    if (this.owner.log.deps.isStorageFull()) connection.pause();
    this.supervisor.apply({ type: "ready", pid: connection.pid });
  }

  /**
   * A start that never connected is not retried. One that answered and was gone is a lost connection, and so is whatever
   * fails in one of the bounded tries, except that a person who asks for a missing program is told at once. Whether
   * another try follows is `supervise`'s to say.
   */
  private failed(fault: Fault, start: Start): void {
    const isTry = start.try !== undefined;
    const isFinal = start.try === "by-hand" && fault.code === "AGENT_MISSING";
    this.gone(this.stopping?.reason ?? (this.released ? "shutdown" : reasonOf(fault)));
    if (fault === unwanted) this.supervisor.apply({ type: "rest" });
    const { code } = fault;
    const message = faultSentence(fault.message, fault.facts);
    const { stderrTail } = fault.facts;
    this.lastStderr = typeof stderrTail === "string" ? stderrTail : undefined;
    const goesOn = !this.isClosing && (isTry || code === "AGENT_CRASHED");
    const { status } = this.status;
    if (status === "reconnecting") {
      if (goesOn && isTry) this.supervisor.apply({ type: "start_failed", message, isFinal });
    } else if (status === "starting" || status === "connected") {
      this.supervisor.apply({ type: goesOn ? "ended" : "start_failed", message });
    }
    const { status: now, gaveUp } = this.status;
    if (now === "disconnected" && !gaveUp && !this.isClosing) this.owner.startFailed(fault);
  }

  private async ended(connection: AgentConnection, exit: AgentExit): Promise<void> {
    const { life } = this;
    if (life?.connection !== connection) return;
    this.life = undefined;
    this.lastStderr = exit.stderrTail;
    const isSpent = life.isSpent || connection.isOver === true;
    const isStopping = this.stopping !== undefined || this.owner.log.journal.row.runtime.stopping;
    const isIdle = this.stopping?.reason === "idle";
    const ending: ProcessEnding = isSpent || isIdle ? "rest" : isStopping ? "stop" : "lost";
    const reason = this.stopping?.reason ?? this.whyEnded(isSpent, isStopping);
    if (ending === "lost") void this.sweep();
    await this.owner.ended(exit, ending);
    this.gone(reason);
    if (isSpent || this.startsWithPrompt) this.supervisor.apply({ type: "rest" });
    else if (ending === "lost") this.supervisor.apply({ type: "ended", message: describeExit(exit) });
  }

  private whyEnded(isSpent: boolean, isStopping: boolean): StopReason {
    if (isStopping) return "user_requested";
    // Where the process is the turn, its crash has ended the turn before.
    const hasCrashed = this.startsWithPrompt && this.owner.log.journal.state.lastTurn?.reason === "crashed";
    return isSpent && !hasCrashed ? "turn_over" : "crashed";
  }

  private gone(reason: StopReason): void {
    if (!this.isThere) return;
    this.isThere = false;
    this.owner.stopped(reason);
  }

  private async end(): Promise<void> {
    this.supervisor.stop();
    await this.starts.giveUp();
    const connection = this.live;
    if (connection) {
      await connection.stop().catch((error: unknown) => this.tellSurvivors(connection, error));
      await connection.ended;
      await this.owner.log.mailbox.drain();
    }
    await this.starts.swept;
    this.supervisor.apply({ type: "rest" });
  }

  /** What an agent that is gone leaves behind, such as a process of another user's, keeps nobody from going on. */
  private tellSurvivors(connection: AgentConnection, error: unknown): void {
    if (!(error instanceof Fault) || this.live === connection) throw error;
    const { deps, journal } = this.owner.log;
    deps.logger.error("an agent left processes behind", { session: journal.row.id, error: error.message });
  }
}

const reasonOf = ({ code }: Fault): StopReason => (code === "AGENT_CRASHED" ? "crashed" : "error");
