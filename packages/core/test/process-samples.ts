import {
  type Connection,
  Fault,
  type ProcessEffect,
  type ProcessRules,
  type ProcessStage,
  type ProcessState,
  type ProcessTrigger,
  type StageName,
  stepProcess,
  type TriggerName,
} from "@drover/core";

export const rules: ProcessRules = {
  ...{ attempts: 5, backoffMs: 1000, maxBackoffMs: 30_000, stableAfterMs: 60_000 },
  ...{ lifetime: "turn", now: "2026-01-01T00:00:00.000Z" },
};
export const connected: Connection = { status: "connected", attempt: 1, gaveUp: false, pid: 1 };
export const starting: Connection = { status: "starting", attempt: 0, gaveUp: false };
export const reconnecting: Connection = { status: "reconnecting", attempt: 1, gaveUp: false };
export const down: Connection = { status: "disconnected", attempt: 1, gaveUp: false };

export const stages: { [S in StageName]: ProcessState } = {
  none: { stage: { name: "none" }, connection: down, isAnnounced: false },
  waiting: { stage: { name: "waiting" }, connection: reconnecting, isAnnounced: false },
  opening: { stage: { name: "opening", start: "use" }, connection: starting, isAnnounced: true },
  open: { stage: { name: "open" }, connection: connected, isAnnounced: true },
  spent: { stage: { name: "spent" }, connection: connected, isAnnounced: true },
  recording: { stage: { name: "recording" }, connection: connected, isAnnounced: true },
  stopping: {
    stage: { name: "stopping", mode: "stop", reason: "user_requested", isSpent: false },
    ...{ connection: connected, isAnnounced: true },
  },
  closed: { stage: { name: "closed" }, connection: connected, isAnnounced: true },
};

const failure = new Fault("AGENT_UNREACHABLE", "no answer");
export const triggers: { [T in TriggerName]: Extract<ProcessTrigger, { type: T }> } = {
  use: { type: "use" },
  attach: { type: "attach" },
  reconnect: { type: "reconnect" },
  retry_due: { type: "retry_due" },
  stable: { type: "stable" },
  spawned: { type: "spawned", pid: 2 },
  answered: { type: "answered", pid: 2 },
  opened: { type: "opened", pid: 2 },
  start_failed: { type: "start_failed", fault: failure, isNeeded: true },
  turn_ended: { type: "turn_ended" },
  exited: { type: "exited", isTurnOver: false, isStopStored: false, hasTurnCrashed: false },
  recorded: { type: "recorded", ending: "lost", reason: "crashed", message: "it ended" },
  stop: { type: "stop", mode: "stop", reason: "idle" },
  stopped: { type: "stopped" },
  stop_failed: { type: "stop_failed" },
  close: { type: "close" },
};

/** One word per effect, with what distinguishes it. */
function word(effect: ProcessEffect): string {
  switch (effect.type) {
    case "announce":
      return `${effect.connection.status}/${effect.connection.attempt}`;
    case "start":
      return `start:${effect.start}`;
    case "announce_stopped":
      return `stopped:${effect.reason}`;
    case "record_exit":
      return `record:${effect.ending}:${effect.reason}`;
    case "set_timer":
      return `timer:${effect.fires}:${effect.ms}`;
    case "announce_spawned":
      return `spawned:${effect.pid}`;
    default:
      return effect.type;
  }
}

export const stageWord = (stage: ProcessStage): string => {
  if (stage.name === "opening") return `opening(${stage.start})`;
  if (stage.name !== "stopping") return stage.name;
  return `stopping(${stage.mode} ${stage.reason}${stage.isSpent ? " spent" : ""})`;
};

export function outcome(
  state: ProcessState,
  trigger: ProcessTrigger,
  changes: Partial<ProcessRules> = {},
): string {
  const step = stepProcess(state, trigger, { ...rules, ...changes });
  return [stageWord(step.state.stage), ...step.effects.map(word)].join(" ");
}

/** The sample state of a stage, with changes. */
export const but = (stage: StageName, changes: Partial<ProcessState>): ProcessState => ({
  ...stages[stage],
  ...changes,
});
