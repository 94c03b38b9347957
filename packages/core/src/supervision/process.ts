import { faultSentence } from "../fault-words.ts";
import type { ProcessEnding, StopReason } from "../supervision.ts";
import { Move } from "./process-move.ts";
import type {
  ProcessRules,
  ProcessStage,
  ProcessState,
  ProcessStep,
  ProcessTrigger,
  StageName,
  StartKind,
  TriggerName,
} from "./process-state.ts";

type StageOf<S extends StageName> = Extract<ProcessStage, { name: S }>;
type TriggerOf<T extends TriggerName> = Extract<ProcessTrigger, { type: T }>;
type Cell<S extends StageName, T extends TriggerName> = (
  move: Move,
  trigger: TriggerOf<T>,
  stage: StageOf<S>,
) => unknown;
type Table = { readonly [S in StageName]: { readonly [T in TriggerName]?: Cell<S, T> } };

/** The life of a session's agent process. A missing cell means that the trigger changes nothing in that stage. */
const table: Table = {
  none: {
    use(move) {
      move.enter({ name: "opening", start: "use" }).connect({ type: "use" });
      move.add({ type: "start", start: "use" });
    },
    attach: (move) => move.expectProcess().start("attach"),
    reconnect: retryByHand,
    recorded: (move, { reason }) => move.announceStopped(reason),
    stop: stopProcess,
    close,
  },
  waiting: {
    // The agent is needed now: do not wait for the timer.
    use: (move) => move.add({ type: "clear_timer" }).start("by_itself"),
    reconnect(move) {
      move.add({ type: "clear_timer" });
      retryByHand(move);
    },
    retry_due: (move) => move.start("by_itself"),
    stop(move, trigger, stage) {
      move.add({ type: "clear_timer" });
      stopProcess(move, trigger, stage);
    },
    close,
  },
  opening: {
    // Joins the start and counts from the beginning.
    reconnect(move) {
      if (move.status === "reconnecting") move.connect({ type: "reconnect" });
    },
    stable,
    spawned,
    answered: ready,
    opened(move, trigger, { start }) {
      ready(move, trigger);
      move.enter({ name: "open" });
      if (isRetry(start)) move.add({ type: "resume_queue" });
    },
    start_failed: failStart,
    stop: stopProcess,
    close,
  },
  open: {
    stable,
    turn_ended(move) {
      if (move.rules.lifetime !== "session") move.enter({ name: "spent" });
    },
    exited: leave,
    stop: stopProcess,
    close,
  },
  spent: {
    // The process stayed for background work and gets another turn.
    use: (move) => move.enter({ name: "open" }),
    stable,
    exited: leave,
    stop: stopProcess,
    close,
  },
  recording: {
    recorded(move, { ending, reason, message }) {
      move.announceStopped(reason).enter({ name: "none" });
      // A process that is started with its prompt starts again with the next prompt.
      const isLost = ending === "lost" && move.rules.lifetime !== "prompt";
      move.connect(isLost ? { type: "ended", message } : { type: "rest" });
    },
    stop: stopProcess,
    close,
  },
  stopping: {
    spawned,
    answered: (move, { pid }) => move.connect({ type: "ready", pid }),
    opened: (move, { pid }) => move.connect({ type: "ready", pid }),
    start_failed: (move, trigger, { reason }) => abandonStart(move, trigger, reason),
    exited(move, trigger, { reason, isSpent }) {
      const isIdle = reason === "idle";
      const ending = isSpent || trigger.isTurnOver || isIdle ? "rest" : "stop";
      // Its turn was over anyway, so it did not end because it was idle.
      const isOver = isIdle && trigger.isTurnOver;
      move.add({ type: "record_exit", ending, reason: isOver ? "turn_over" : reason });
    },
    recorded: (move, { reason }) => move.announceStopped(reason),
    // Joins the stop in progress, which the mode may make final.
    stop(move, { mode }, stage) {
      if (mode !== "stop") move.enter({ ...stage, mode });
    },
    stopped(move, _, { mode, reason }) {
      move.enter({ name: mode === "stop" ? "none" : "closed" });
      if (mode === "discard") move.announceStopped(reason);
      else move.connect({ type: "rest" });
    },
    stop_failed: (move, _, { mode, isSpent }) =>
      move.enter({ name: mode === "retire" ? "closed" : isSpent ? "spent" : "open" }),
    close,
  },
  closed: {
    spawned,
    answered: (move, { pid }) => move.connect({ type: "ready", pid }),
    opened: (move, { pid }) => move.connect({ type: "ready", pid }),
    start_failed: (move, trigger) => abandonStart(move, trigger, "shutdown"),
    recorded: (move, { reason }) => move.announceStopped(reason),
    close,
  },
};

/** The effect of a trigger on a process: pure; the caller carries out the effects. */
export function stepProcess(state: ProcessState, trigger: ProcessTrigger, rules: ProcessRules): ProcessStep {
  const move = new Move(state, rules);
  // A table cannot express to the compiler that its cell fits this pair.
  const cell = table[state.stage.name][trigger.type] as
    | ((move: Move, trigger: ProcessTrigger, stage: ProcessStage) => unknown)
    | undefined;
  cell?.(move, trigger, state.stage);
  return { state: move.state, effects: move.effects };
}

const isRetry = (start: StartKind): boolean => start === "by_hand" || start === "by_itself";

function stable(move: Move): void {
  move.connect({ type: "stable" });
}

function spawned(move: Move, { pid }: TriggerOf<"spawned">): void {
  move.expectProcess().add({ type: "announce_spawned", pid });
}

/** A connection that lasts long enough clears the count of retries. */
function ready(move: Move, { pid }: TriggerOf<"answered" | "opened">): void {
  if (move.status === "connected") return;
  move.connect({ type: "ready", pid });
  move.add({ type: "set_timer", fires: "stable", ms: move.rules.stableAfterMs });
}

function retryByHand(move: Move): void {
  move.enter({ name: "none" });
  // Without a prompt there is nothing to start: the next prompt shows whether it can be started.
  if (move.rules.lifetime === "prompt") move.connect({ type: "rest" });
  else if (move.status !== "idle") move.connect({ type: "reconnect" }).start("by_hand");
}

/**
 * A start that never connected is not retried. An agent that answered and then ended is a lost connection, and so is a
 * failed retry, except that a person who retries a missing program gets the error at once.
 */
function failStart(
  move: Move,
  { fault, isNeeded }: TriggerOf<"start_failed">,
  { start }: StageOf<"opening">,
): void {
  const { code } = fault;
  move.announceStopped(code === "AGENT_CRASHED" ? "crashed" : "error").enter({ name: "none" });
  if (!isNeeded) move.connect({ type: "rest" });
  // An attach is not announced as a start, so its failure is not either.
  if (!isNeeded || start === "attach") return;
  const message = faultSentence(fault.message, fault.facts);
  const isFinal = start === "by_hand" && code === "AGENT_MISSING";
  // Only a prompt starts a process that is started with it.
  const isKept = move.rules.lifetime !== "prompt";
  const isLost = isKept && (code === "AGENT_CRASHED" || isRetry(start));
  if (isLost && move.status !== "reconnecting") move.connect({ type: "ended", message });
  else move.connect({ type: "start_failed", message, isFinal });
  if (move.status !== "disconnected" || move.state.connection.gaveUp) return;
  move.add({ type: "start_failed", fault });
  if (isRetry(start)) move.add({ type: "resume_queue" });
}

/** The start was aborted on purpose: nothing follows. */
function abandonStart(move: Move, { fault, isNeeded }: TriggerOf<"start_failed">, reason: StopReason): void {
  move.announceStopped(reason);
  const message = faultSentence(fault.message, fault.facts);
  if (!isNeeded) move.connect({ type: "rest" });
  else if (move.status === "starting" || move.status === "connected")
    move.connect({ type: "start_failed", message });
}

function leave(move: Move, trigger: TriggerOf<"exited">, stage: ProcessStage): void {
  const isAtRest = stage.name === "spent" || trigger.isTurnOver;
  const ending: ProcessEnding = isAtRest ? "rest" : trigger.isStopStored ? "stop" : "lost";
  if (ending === "lost") move.add({ type: "sweep" });
  move.enter({ name: "recording" });
  move.add({ type: "record_exit", ending, reason: exitReason(trigger, isAtRest, move.rules) });
}

function exitReason(
  { isStopStored, hasTurnCrashed }: TriggerOf<"exited">,
  isAtRest: boolean,
  { lifetime }: ProcessRules,
): StopReason {
  if (isStopStored) return "user_requested";
  // If the process serves only this turn, its crash ended the turn first.
  const isCrash = lifetime === "prompt" && hasTurnCrashed;
  return isAtRest && !isCrash ? "turn_over" : "crashed";
}

function stopProcess(move: Move, { mode, reason }: TriggerOf<"stop">, stage: ProcessStage): void {
  const isSpent = stage.name === "spent";
  move.enter({ name: "stopping", mode, reason, isSpent }).add({ type: "end" });
}

function close(move: Move): void {
  move.enter({ name: "closed" }).add({ type: "clear_timer" }).add({ type: "detach" });
}
