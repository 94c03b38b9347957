import { Fault } from "@drover/core";
import type { AgentConnection } from "../../ports.ts";
import { type Opener, type OpenHow, openProcess } from "./open-process.ts";

export interface Start extends Omit<OpenHow, "spawned" | "connected"> {
  /** One of the bounded tries; `by-hand` is the first after a person asked for them. */
  readonly try?: "by-hand" | "by-itself";
}

export interface StartHooks {
  spawned(pid: number): void;
  /** The agent has answered, where that is before its connection is open. */
  answered(pid: number): void;
  opened(connection: AgentConnection): void;
  failed(fault: Fault, start: Start): void;
}

/** Starts a session's agent: one process at a time, and none beside what the last one has left behind. */
export class AgentStarts {
  private current:
    | { readonly opening: Promise<AgentConnection>; readonly abort: AbortController }
    | undefined;
  private lastSweep: Promise<void> = Promise.resolve();
  private readonly opener: Opener;
  private readonly hooks: StartHooks;

  constructor(opener: Opener, hooks: StartHooks) {
    this.opener = opener;
    this.hooks = hooks;
  }

  /** The start under way, for whoever wants to join it. */
  get underWay(): Promise<AgentConnection> | undefined {
    return this.current?.opening;
  }

  /** Everything that was to be swept is. */
  get swept(): Promise<void> {
    return this.lastSweep;
  }

  /** Only while none is under way. Rejects with a Fault, after the hooks were told. */
  begin(start: Start = {}): Promise<AgentConnection> {
    const abort = new AbortController();
    const opening = this.run(start, abort.signal).finally(() => {
      this.current = undefined;
    });
    // Whoever waits for it is told; nobody has to.
    opening.catch(() => undefined);
    this.current = { opening, abort };
    return opening;
  }

  /** A start under way is given up on; resolves when nothing is left of it. */
  async giveUp(): Promise<void> {
    this.current?.abort.abort();
    await this.current?.opening.catch(() => undefined);
  }

  /**
   * Ends what is left of this session's processes when its agent itself is gone, or was never connected. The next
   * start waits for that: it carries the same mark.
   */
  sweep(): Promise<void> {
    const { deps, journal } = this.opener.log;
    const { id } = journal.row;
    this.lastSweep = this.lastSweep
      .then(() => deps.sweep(id))
      .catch((error) => deps.logger.error("a session was not swept", { session: id, error: String(error) }));
    return this.lastSweep;
  }

  private async run(start: Start, signal: AbortSignal): Promise<AgentConnection> {
    const how: OpenHow = {
      ...start,
      spawned: (pid) => this.hooks.spawned(pid),
      connected: (pid) => this.hooks.answered(pid),
    };
    try {
      // A process that is there already is no start that would have to wait for others.
      const connection = await (start.attach
        ? openProcess(this.opener, how, signal)
        : this.opener.log.deps.limitStarts(async () => {
            await this.swept;
            return openProcess(this.opener, how, signal);
          }));
      this.hooks.opened(connection);
      return connection;
    } catch (error) {
      const fault = error instanceof Fault ? error : new Fault("AGENT_UNREACHABLE", String(error));
      this.hooks.failed(fault, start);
      throw fault;
    }
  }
}
