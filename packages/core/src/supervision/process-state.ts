import type { Fault } from "../error.ts";
import type { Connection, ProcessEnding, StopReason, SupervisionLimits } from "../supervision.ts";

/**
 * Why a process is being opened: a prompt needs it, an earlier server started it, or it is one of the bounded retries.
 * `by_hand` is the first retry after a person asked for one.
 */
export type StartKind = "use" | "attach" | "by_hand" | "by_itself";

/**
 * `stop` ends the process and allows another start. `discard` also leaves its last output unread, because its session
 * is being deleted. `retire` ends it because the server shuts down. Nothing starts after the last two.
 */
export type StopMode = "stop" | "discard" | "retire";

export type ProcessStage =
  /** No process, and no retry is scheduled. */
  | { readonly name: "none" }
  /** The next retry is due when the timer fires. */
  | { readonly name: "waiting" }
  | { readonly name: "opening"; readonly start: StartKind }
  | { readonly name: "open" }
  /** The turn of a process that serves only one has ended: its exit is expected. */
  | { readonly name: "spent" }
  /** The process is gone, and its exit is being recorded. */
  | { readonly name: "recording" }
  | {
      readonly name: "stopping";
      readonly mode: StopMode;
      readonly reason: StopReason;
      readonly isSpent: boolean;
    }
  /** The link no longer starts anything. */
  | { readonly name: "closed" };

export type StageName = ProcessStage["name"];

/** The stage of a session's agent process. */
export interface ProcessState {
  readonly stage: ProcessStage;
  /** The status that clients see. */
  readonly connection: Connection;
  /** Clients know about a process whose end was not announced yet. */
  readonly isAnnounced: boolean;
}

export interface ProcessRules extends SupervisionLimits {
  readonly stableAfterMs: number;
  /** How long one process serves; see `Driver.lifetime`. */
  readonly lifetime: "session" | "turn" | "prompt";
  /** The current time, ISO 8601. */
  readonly now: string;
}

export type ProcessTrigger =
  | { readonly type: "use" }
  | { readonly type: "attach" }
  | { readonly type: "reconnect" }
  | { readonly type: "retry_due" }
  | { readonly type: "stable" }
  /** A new process is recorded. */
  | { readonly type: "spawned"; readonly pid: number }
  /** The agent answered, but its conversation is not open yet. */
  | { readonly type: "answered"; readonly pid: number }
  | { readonly type: "opened"; readonly pid: number }
  | {
      readonly type: "start_failed";
      readonly fault: Fault;
      /** False if the turn ended before its agent was started. */
      readonly isNeeded: boolean;
    }
  | { readonly type: "turn_ended" }
  | {
      readonly type: "exited";
      /** The process had recorded the end of its only turn. */
      readonly isTurnOver: boolean;
      /** A person's stop is stored and has not finished. */
      readonly isStopStored: boolean;
      readonly hasTurnCrashed: boolean;
    }
  | {
      readonly type: "recorded";
      readonly ending: ProcessEnding;
      readonly reason: StopReason;
      /** How the process ended, for people. */
      readonly message: string;
    }
  | { readonly type: "stop"; readonly mode: StopMode; readonly reason: StopReason }
  | { readonly type: "stopped" }
  /** The process is still alive after everything was tried. */
  | { readonly type: "stop_failed" }
  /** Releases the process and leaves it running. */
  | { readonly type: "close" };

export type TriggerName = ProcessTrigger["type"];

export type ProcessEffect =
  | { readonly type: "announce"; readonly connection: Connection }
  | { readonly type: "announce_spawned"; readonly pid: number }
  | { readonly type: "announce_stopped"; readonly reason: StopReason }
  | { readonly type: "start"; readonly start: StartKind }
  /** Ends the process, or the start in progress; then `stopped` or `stop_failed`. */
  | { readonly type: "end" }
  | { readonly type: "detach" }
  /** Ends the processes that a lost agent left behind. */
  | { readonly type: "sweep" }
  /** Then `recorded`. */
  | { readonly type: "record_exit"; readonly ending: ProcessEnding; readonly reason: StopReason }
  /** There is one timer; setting it replaces the last one. */
  | { readonly type: "set_timer"; readonly fires: "retry_due" | "stable"; readonly ms: number }
  | { readonly type: "clear_timer" }
  | { readonly type: "start_failed"; readonly fault: Fault }
  | { readonly type: "gave_up"; readonly message: string }
  /** Retrying is over, and the session can continue. */
  | { readonly type: "resume_queue" };

export interface ProcessStep {
  readonly state: ProcessState;
  /** In the order they are carried out. */
  readonly effects: readonly ProcessEffect[];
}
