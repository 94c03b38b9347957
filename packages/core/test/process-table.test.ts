import { type StageName, stepProcess, type TriggerName } from "@drover/core";
import { expect, test } from "vitest";
import { outcome, rules, stages, stageWord, triggers } from "./process-samples.ts";

const same = "";
const closes = "closed clear_timer detach";

/** Every stage with every trigger; a missing cell changes nothing. */
const expected: { [S in StageName]: { [T in TriggerName]: string } } = {
  none: {
    use: "opening(use) starting/1 start:use",
    attach: "opening(attach) start:attach",
    reconnect: "opening(by_hand) reconnecting/1 start:by_hand",
    ...{ retry_due: same, stable: same, spawned: same, answered: same, opened: same, start_failed: same },
    ...{ turn_ended: same, exited: same, recorded: same },
    stop: "stopping(stop idle) end",
    ...{ stopped: same, stop_failed: same },
    close: closes,
  },
  waiting: {
    use: "opening(by_itself) clear_timer start:by_itself",
    attach: same,
    reconnect: "opening(by_hand) clear_timer reconnecting/1 start:by_hand",
    retry_due: "opening(by_itself) start:by_itself",
    ...{ stable: same, spawned: same, answered: same, opened: same, start_failed: same },
    ...{ turn_ended: same, exited: same, recorded: same },
    stop: "stopping(stop idle) clear_timer end",
    ...{ stopped: same, stop_failed: same },
    close: closes,
  },
  opening: {
    ...{ use: same, attach: same, reconnect: same, retry_due: same, stable: same },
    spawned: "opening(use) spawned:2",
    answered: "opening(use) connected/0 timer:stable:60000",
    opened: "open connected/0 timer:stable:60000",
    start_failed: "none stopped:error disconnected/0 start_failed",
    ...{ turn_ended: same, exited: same, recorded: same },
    stop: "stopping(stop idle) end",
    ...{ stopped: same, stop_failed: same },
    close: closes,
  },
  open: {
    ...{ use: same, attach: same, reconnect: same, retry_due: same },
    stable: "open connected/0",
    ...{ spawned: same, answered: same, opened: same, start_failed: same },
    turn_ended: "spent",
    exited: "recording sweep record:lost:crashed",
    recorded: same,
    stop: "stopping(stop idle) end",
    ...{ stopped: same, stop_failed: same },
    close: closes,
  },
  spent: {
    use: "open",
    ...{ attach: same, reconnect: same, retry_due: same },
    stable: "spent connected/0",
    ...{ spawned: same, answered: same, opened: same, start_failed: same, turn_ended: same },
    exited: "recording record:rest:turn_over",
    recorded: same,
    stop: "stopping(stop idle spent) end",
    ...{ stopped: same, stop_failed: same },
    close: closes,
  },
  recording: {
    ...{ use: same, attach: same, reconnect: same, retry_due: same, stable: same },
    ...{ spawned: same, answered: same, opened: same, start_failed: same, turn_ended: same, exited: same },
    recorded: "waiting stopped:crashed disconnected/1 reconnecting/2 timer:retry_due:2000",
    stop: "stopping(stop idle) end",
    ...{ stopped: same, stop_failed: same },
    close: closes,
  },
  stopping: {
    ...{ use: same, attach: same, reconnect: same, retry_due: same, stable: same },
    spawned: "stopping(stop user_requested) spawned:2",
    ...{ answered: same, opened: same },
    start_failed: "stopping(stop user_requested) stopped:user_requested disconnected/1 clear_timer",
    turn_ended: same,
    exited: "stopping(stop user_requested) record:stop:user_requested",
    recorded: "stopping(stop user_requested) stopped:crashed",
    stop: same,
    stopped: "none idle/0 clear_timer",
    stop_failed: "open",
    close: closes,
  },
  closed: {
    ...{ use: same, attach: same, reconnect: same, retry_due: same, stable: same },
    spawned: "closed spawned:2",
    ...{ answered: same, opened: same },
    start_failed: "closed stopped:shutdown disconnected/1 clear_timer",
    ...{ turn_ended: same, exited: same },
    recorded: "closed stopped:crashed",
    ...{ stop: same, stopped: same, stop_failed: same },
    close: closes,
  },
};

const cells = Object.entries(expected).flatMap(([stage, row]) =>
  Object.entries(row).map(([trigger, cell]) => [stage as StageName, trigger as TriggerName, cell] as const),
);

test.for(cells)("a process that is %s, on %s", ([stage, trigger, cell]) => {
  const state = stages[stage];
  expect(outcome(state, triggers[trigger])).toBe(cell || stageWord(state.stage));
  if (cell === same) expect(stepProcess(state, triggers[trigger], rules).state).toBe(state);
});
