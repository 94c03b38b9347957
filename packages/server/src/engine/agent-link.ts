import { type AgentAnswer, type Connection, Fault } from "@drover/core";
import type { AgentConnection, AgentExit, Driver, ModelOffer } from "../ports.ts";
import {
  lifetimeOf,
  type Opener,
  type OpenHow,
  openProcess,
  type PromptStart,
  unwanted,
} from "./open-process.ts";
import { Supervisor } from "./supervisor.ts";

/** What a link needs of its session; every call into the log goes through the session's mailbox. */
export interface LinkOwner extends Opener {
  /** Status changed: announce it. */
  connectionChanged(connection: Connection): void;
  /** A connection opened after trouble: whatever waited may go on. */
  connected(): void;
  /** The process is gone and its last output recorded. */
  ended(exit: AgentExit, expected: boolean): Promise<void>;
  gaveUp(message: string, stderrTail: string | undefined): Promise<void>;
}

interface Start extends OpenHow {
  /** One of the bounded tries. */
  readonly isTry?: true;
}

/**
 * One session's connection to its agent: starts it once however many ask, restarts it within bounds, lets it go.
 * Whether another try follows is the supervisor's to say.
 */
export class AgentLink {
  private readonly supervisor: Supervisor;
  private live: AgentConnection | undefined;
  private opening: { promise: Promise<AgentConnection>; abort: AbortController } | undefined;
  /** The last words of the agent that ended or did not start. */
  private lastStderr: string | undefined;
  private swept: Promise<void> = Promise.resolve();
  private stopping: Promise<void> | undefined;
  /** A connection whose one turn is over and whose process has not ended: an idle session holds none. */
  private spent: AgentConnection | undefined;
  /** The moment everything of the last connection is recorded. */
  private over: Promise<void> = Promise.resolve();
  private ending = false;
  private released = false;
  private readonly owner: LinkOwner;

  constructor(owner: LinkOwner) {
    this.owner = owner;
    this.supervisor = new Supervisor(owner.deps.settings.supervision, {
      changed: (connection) => owner.connectionChanged(connection),
      tryNow: () => this.tryAgain(),
      gaveUp: (message) => void owner.gaveUp(message, this.lastStderr),
    });
  }

  get status(): Connection {
    return this.supervisor.status;
  }

  /** On its way down: what fails now is not news to the session. */
  get isClosing(): boolean {
    return this.ending || this.released;
  }

  get isLive(): boolean {
    return this.live !== undefined;
  }

  /** What the agent that runs now offers. */
  get models(): readonly ModelOffer[] {
    return this.live?.models ?? [];
  }

  /** There is a process, or one is on its way. */
  get isBusy(): boolean {
    return this.live !== undefined || this.opening !== undefined || this.supervisor.isWaiting;
  }

  /** The connection, started when there is none: a hundred first uses start one process. Rejects with a Fault. */
  async ensure(): Promise<AgentConnection> {
    if (this.live?.isOver) await this.over;
    if (this.live) {
      // It stayed after its turn, for work in the background, and now has another.
      this.spent = undefined;
      return this.live;
    }
    if (this.opening) return this.opening.promise;
    if (this.released) return Promise.reject(new Fault("AGENT_UNREACHABLE", "The server is shutting down"));
    this.supervisor.apply({ type: "use" });
    return this.open();
  }

  /** The agent takes its prompt by being started with it: `startWith` instead of `ensure`. */
  get startsWithPrompt(): boolean {
    return this.lifetime === "prompt";
  }

  /** Starts the process of one prompt, after the last one's end. Rejects with a Fault. */
  async startWith(prompt: PromptStart): Promise<void> {
    await this.opening?.promise.catch(() => undefined);
    if (this.live) await this.over;
    if (this.released) throw new Fault("AGENT_UNREACHABLE", "The server is shutting down");
    this.supervisor.apply({ type: "use" });
    await this.open({ prompt });
  }

  /** Starts the agent ahead of its next prompt, where it can wait for one. */
  warmUp(): void {
    // Why it did not start stands in its status.
    if (!this.startsWithPrompt) void this.ensure().catch(() => undefined);
  }

  /** Takes up the process a former server started. */
  async attach(): Promise<AgentConnection> {
    const connection = await this.open({ attach: true });
    await connection.caughtUp;
    return connection;
  }

  /** Where every turn has a process of its own, this one has done its work: its end is no loss. */
  turnEnded(): void {
    if (this.lifetime !== "session") this.spent = this.live;
  }

  /** By a person: the count starts over and a try is made at once; joins a start, leaves a connection alone. */
  reconnect(): void {
    if (this.startsWithPrompt && !this.live && !this.opening) {
      // Whether it can be started shows with the next prompt.
      this.supervisor.apply({ type: "rest" });
      return;
    }
    const { effect } = this.supervisor.apply({ type: "reconnect" });
    if (effect.type === "start") this.tryAgain();
  }

  /**
   * Ends what is left of this session's processes when its agent itself is gone, or was never connected. The next
   * start waits for that: it carries the same mark.
   */
  sweep(): Promise<void> {
    const { deps, journal } = this.owner;
    const { id } = journal.row;
    this.swept = this.swept
      .then(() => deps.sweep(id))
      .catch((error) => deps.logger.error("a session was not swept", { session: id, error: String(error) }));
    return this.swept;
  }

  /** Ends the process, whole tree, and proves it; also one that is still starting. */
  stop(): Promise<void> {
    this.stopping ??= this.end().finally(() => {
      this.stopping = undefined;
    });
    return this.stopping;
  }

  /** Ends the process for good: a message that waits in the queue is the next server's. */
  retire(): Promise<void> {
    this.released = true;
    return this.stop();
  }

  /** No process is on its way down. */
  settled(): Promise<void> {
    return this.stopping ?? Promise.resolve();
  }

  private async end(): Promise<void> {
    this.supervisor.stop();
    this.ending = true;
    try {
      this.opening?.abort.abort();
      await this.opening?.promise.catch(() => undefined);
      const connection = this.live;
      if (connection) {
        await connection.stop().catch((error: unknown) => this.tellSurvivors(connection, error));
        await connection.ended;
        await this.owner.mailbox.drain();
      }
      await this.swept;
      this.supervisor.apply({ type: "rest" });
    } finally {
      this.ending = false;
    }
  }

  /** What an agent that is gone leaves behind, such as a process of another user's, keeps nobody from going on. */
  private tellSurvivors(connection: AgentConnection, error: unknown): void {
    if (!(error instanceof Fault) || this.live === connection) throw error;
    const { deps, journal } = this.owner;
    deps.logger.error("an agent left processes behind", { session: journal.row.id, error: error.message });
  }

  /** Lets go and leaves the agent running for the next server. One still starting is ended: it has nothing to lose. */
  async detach(): Promise<void> {
    this.released = true;
    this.supervisor.stop();
    this.opening?.abort.abort();
    await this.opening?.promise.catch(() => undefined);
    this.live?.detach();
    this.live = undefined;
  }

  /** Only asks: what the agent cannot hear any more is ended by whoever waits for the end. */
  async cancel(turnId: string): Promise<void> {
    await this.live?.cancel(turnId).catch(() => undefined);
  }

  /** False when it did not get there: the agent is gone, or asks again when it is found. */
  async answer(requestKey: string, answer: AgentAnswer): Promise<boolean> {
    if (!this.live) return false;
    return this.live.answer(requestKey, answer).then(
      () => true,
      () => false,
    );
  }

  async setModel(model: string): Promise<void> {
    await this.live?.setModel(model);
  }

  pause(): void {
    this.live?.pause();
  }

  unpause(): void {
    this.live?.unpause();
  }

  private get lifetime(): ReturnType<Driver["lifetime"]> {
    return lifetimeOf(this.owner);
  }

  private open(how: Start = {}): Promise<AgentConnection> {
    const abort = new AbortController();
    const connected = (pid: number) => void this.supervisor.apply({ type: "ready", pid });
    const promise = this.start({ ...how, connected }, abort.signal).finally(() => {
      this.opening = undefined;
    });
    // Whoever waits for it is told; nobody has to.
    promise.catch(() => undefined);
    this.opening = { promise, abort };
    return promise;
  }

  private async start(how: Start, signal: AbortSignal): Promise<AgentConnection> {
    try {
      const connection = await (how.attach
        ? openProcess(this.owner, how, signal)
        : this.limited(how, signal));
      this.live = connection;
      if (this.owner.deps.isStorageFull()) connection.pause();
      this.supervisor.apply({ type: "ready", pid: connection.pid });
      this.watch(connection);
      return connection;
    } catch (error) {
      if (error === unwanted) this.supervisor.apply({ type: "rest" });
      const fault = error instanceof Fault ? error : new Fault("AGENT_UNREACHABLE", String(error));
      const { stderrTail } = fault.facts;
      this.lastStderr = typeof stderrTail === "string" ? stderrTail : undefined;
      this.failed(fault, how.isTry === true);
      throw fault;
    }
  }

  private limited(how: OpenHow, signal: AbortSignal): Promise<AgentConnection> {
    return this.owner.deps.limitStarts(async () => {
      await this.swept;
      return openProcess(this.owner, how, signal);
    });
  }

  /**
   * One that was never there is not tried again by itself; one that answered and was gone is a lost connection, and so
   * is whatever fails in one of the bounded tries. Whether another follows is `supervise`'s to say.
   */
  private failed({ code, message }: Fault, isTry: boolean): void {
    const { status } = this.status;
    const goesOn = !this.isClosing && (isTry || code === "AGENT_CRASHED");
    if (status === "reconnecting") {
      if (goesOn && isTry) this.supervisor.apply({ type: "start_failed", message });
    } else if (status === "starting" || status === "connected") {
      this.supervisor.apply({ type: goesOn ? "ended" : "start_failed", message });
    }
  }

  private watch(connection: AgentConnection): void {
    this.over = connection.ended.then(async (exit) => {
      if (this.live !== connection) return;
      this.live = undefined;
      this.lastStderr = exit.stderrTail;
      const isSpent = this.spent === connection || connection.isOver === true;
      this.spent = undefined;
      const expected = this.ending || isSpent || this.owner.journal.row.runtime.stopping;
      if (!expected) void this.sweep();
      await this.owner.ended(exit, expected);
      if (isSpent || this.startsWithPrompt) this.supervisor.apply({ type: "rest" });
      else if (!expected) this.supervisor.apply({ type: "ended", message: describeExit(exit) });
    });
  }

  private tryAgain(): void {
    if (this.live || this.opening) return;
    void this.open({ isTry: true }).then(
      () => this.owner.connected(),
      () => undefined,
    );
  }
}

/** How a process ended, in words a person can use. */
export function describeExit(exit: AgentExit): string {
  if (exit.signal) return `The agent was ended by ${exit.signal}`;
  // The exit code of a process is told to its parent, and that server is gone.
  if (exit.code === null) return "The agent ended";
  return `The agent ended with exit code ${exit.code}`;
}
