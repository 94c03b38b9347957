import type { AgentExit } from "../agent-exit.ts";
import type { Fault } from "../error.ts";
import type { DoneReason } from "../event.ts";
import type { ProcessEnding } from "../supervision.ts";

/** What became of an attempt. */
export type AttemptOutcome =
  /** The agent said how the turn ended. */
  | { readonly type: "answered"; readonly reason: DoneReason; readonly fault?: Fault }
  /** The agent's process is gone. */
  | { readonly type: "exited"; readonly ending: ProcessEnding; readonly exit: AgentExit }
  /** The agent could not be started, written to or read from. */
  | { readonly type: "failed"; readonly fault: Fault }
  /** A person interrupted the turn. */
  | { readonly type: "interrupted" }
  /** The session was stopped or deleted, and its process with it. */
  | { readonly type: "stopped" }
  /** The server died; the next one found the agent again, or did not. */
  | { readonly type: "recovered"; readonly agent: "found" | "gone" };
