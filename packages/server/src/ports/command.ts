import type { ProcessRecord } from "./store/session-row.ts";

/** A program that runs for a session, other than its agent. */
export interface SessionCommand {
  readonly sessionId: string;
  readonly argv: readonly string[];
  readonly cwd: string;
  /** The complete environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Its run's own directory, which gets the output. What is there already is removed. */
  readonly directory: string;
  readonly timeoutMs: number;
  readonly stopGraceMs: number;
  /** Ends everything it has started. */
  readonly signal: AbortSignal;
  /** Awaited once it is running. */
  started(process: ProcessRecord): Promise<void>;
}

export interface CommandEnd {
  /** 0 is success; null if it was killed, or could not be started. */
  readonly exit: number | null;
  /** Why there is no exit code. */
  readonly reason?: string;
  /** The end of its output. */
  readonly tail: string;
}

/** Resolves when the command is gone. If it failed, everything it started is gone too. */
export type RunCommand = (command: SessionCommand) => Promise<CommandEnd>;
