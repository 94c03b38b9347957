import type { PermissionMode } from "../agent.ts";
import type { Attachment } from "../attachment.ts";
import type { Rejection } from "../error.ts";
import type { EventBody, SessionStateName, Usage } from "../event.ts";
import type { AgentRequest } from "../facts.ts";
import type { IdKind } from "../id.ts";
import type { Answers, Interaction, Scope } from "../interaction.ts";
import type { Grant } from "../permission.ts";
import type { Result } from "../result.ts";
import type { Collected } from "../worker/ended.ts";
import type { WorkerPlace } from "../worker/mode.ts";
import type { Attempt, AttemptOutcome, FollowUps } from "./attempt.ts";
import type { SessionState } from "./state.ts";
import type { EditQueue, Enqueue, Receipt } from "./view.ts";

/** Everything a person, an agent or the clock can ask of a session. */
export type Command =
  | {
      type: "send";
      content: string;
      by: string;
      clientId?: string;
      clientMessageId?: string;
      requested: "queue" | "steer";
      strict: boolean;
      attachments?: readonly Attachment[];
      notBefore?: string;
    }
  /** Puts a message into the queue without starting it, as undoing a drop does. */
  | {
      type: "enqueue";
      message: Omit<Enqueue, "attachments">;
      attachments?: readonly Attachment[];
      by: string;
      clientId?: string;
    }
  | { type: "start_next" }
  /** A queued message is delivered in the running turn. */
  | { type: "steer"; messageId: string }
  | { type: "edit_queued"; messageId: string; edit: EditQueue; by: string }
  | { type: "drop_queued"; messageId: string }
  | { type: "set_paused"; paused: boolean }
  | { type: "interrupt"; attempt: Attempt; denied: readonly DeniedCall[] }
  /** A person wants the agent ended. */
  | { type: "stop" }
  /** The agent has been silent for a long time. */
  | { type: "stall" }
  | {
      type: "report_state";
      state: SessionStateName;
      /** Only if this is the last reported state. */
      from?: SessionStateName;
      reason?: { code: string; message: string };
    }
  | { type: "set_model"; model: string }
  | { type: "ask"; request: AgentRequest; toolCallId: string | undefined }
  /** The agent changes a call that a person is deciding about. */
  | {
      type: "change_approval";
      toolCallId: string;
      title?: string | undefined;
      input: unknown;
      diffs?: unknown[] | undefined;
    }
  | {
      type: "approve";
      toolCallId: string;
      by: string;
      scope: Scope;
      inputHash?: string;
      /** The input to run instead of the requested one. */
      input?: unknown;
      /** The mode the session continues in; only with the approval of a plan. */
      permissionMode?: PermissionMode;
    }
  | { type: "deny"; toolCallId: string; by: string; clientId?: string; reason?: string }
  | { type: "answer"; toolCallId: string; by: string; answers: Answers; inputHash?: string }
  | { type: "expire"; interactionId: string; reason: string }
  /** The agent has withdrawn its request. */
  | { type: "withdraw"; interactionId: string }
  /** A person follows up on an interaction that expired. */
  | { type: "ask_again"; interaction: Interaction; by: string; clientId?: string }
  | { type: "dismiss"; interaction: Interaction; by: string }
  | {
      type: "settle_attempt";
      attempt: Attempt;
      outcome: AttemptOutcome;
      followUps: FollowUps;
      usage?: Usage;
      /** The agent continues in the background and still needs the answers it asked for. */
      lingers?: boolean;
      /** What a worker has left. Without it, an attempt of a worker is over but not settled. */
      collected?: Collected;
      denied: readonly DeniedCall[];
    }
  /** The process that asked is gone. */
  | { type: "release"; cause: Cause }
  /** The agent was started repeatedly and does not stay up. */
  | { type: "give_up"; message: string; stderrTail: string | undefined };

/** A call that was denied and that the agent has not closed. */
export interface DeniedCall {
  readonly toolCallId: string;
  readonly toolName: string;
}

export type Cause = NonNullable<Interaction["cause"]>;

/** What deciding needs from outside: core has no clock, no randomness and no knowledge of the session's row. */
export interface DecisionContext {
  readonly now: string;
  readonly newId: (kind: IdKind) => string;
  readonly hash: (input: unknown) => string;
  /** Where a path in a request actually leads. */
  readonly realPath?: (path: string) => string;
  /** Whether a path in a request leads out of what the session works on. */
  readonly isOutside?: (path: string) => boolean;
  readonly session: {
    readonly id: string;
    readonly name: string;
    readonly agent: string;
    readonly cwd: string;
    /** Empty until the first message, or a person, provides one. */
    readonly title: string;
    readonly permissionMode: PermissionMode;
    readonly grants: readonly Grant[];
    /** Reconnecting or stopping: a message waits in the queue although no turn is running. */
    readonly mustWait: boolean;
    /** What the last turn changed will be shown for approval: until then, a message waits in the queue. */
    readonly isGateDue?: boolean;
    /** A person has stopped the session: its turn gets no further attempt. */
    readonly isStopping: boolean;
    /** It has a task, and reports how its work went. */
    readonly worker?: WorkerPlace;
    readonly denyReasonReachesAgent: boolean;
    readonly canAmend: boolean;
    readonly canSteer: boolean;
  };
  readonly queueMax: number;
  /** How long an interaction waits for an answer; 0 for as long as it takes. */
  readonly interactionTimeoutMs: number;
}

export interface Decision {
  readonly events: readonly EventBody[];
  readonly receipt?: Receipt;
  /** The interaction a request became, or the one a person settled, as it was before. */
  readonly interaction?: Interaction;
  /** The turn's current attempt from now on; null if the turn has ended. */
  readonly attempt?: Attempt | null;
  /** The session's new title. */
  readonly title?: string;
  /** The input of the approved call, if a person has changed it. */
  readonly amendedInput?: unknown;
  readonly grant?: Grant;
  readonly permissionMode?: PermissionMode;
}

/** Pure: the effect of one kind of command on a session, or why it is rejected. */
export type Decider<K extends Command["type"]> = (
  state: SessionState,
  command: Extract<Command, { type: K }>,
  context: DecisionContext,
) => Result<Decision, Rejection>;
