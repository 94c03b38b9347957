import type { ProcessState, ProcessTrigger } from "@drover/core";
import { describe, expect, test } from "vitest";
import { but, connected, outcome, stages, triggers } from "./process-samples.ts";

describe("an exit", () => {
  const exited = (changes: Partial<typeof triggers.exited>) => ({ ...triggers.exited, ...changes });
  const recorded = (ending: "rest" | "stop" | "switch" | "lost") => ({ ...triggers.recorded, ending });
  const idleStop = but("stopping", {
    stage: { name: "stopping", mode: "stop", reason: "idle", isSpent: false },
  });
  const spentStop = but("stopping", {
    stage: { name: "stopping", mode: "stop", reason: "error", isSpent: true },
  });

  test.for<[string, ProcessState, ProcessTrigger, string]>([
    [
      "after the only turn is expected",
      stages.open,
      exited({ isTurnOver: true }),
      "recording record:rest:turn_over",
    ],
    [
      "that a person requested is expected",
      stages.open,
      exited({ isStopStored: true }),
      "recording record:stop:user_requested",
    ],
    [
      "after the turn, with a stop stored, counts as requested by a person",
      stages.spent,
      exited({ isStopStored: true }),
      "recording record:rest:user_requested",
    ],
    ["during an idle stop counts as rest", idleStop, exited({}), "stopping(stop idle) record:rest:idle"],
    [
      "after the only turn does not count as idle, even if an idle stop came first",
      idleStop,
      exited({ isTurnOver: true }),
      "stopping(stop idle) record:rest:turn_over",
    ],
    [
      "of a spent process during a stop counts as rest",
      spentStop,
      exited({}),
      "stopping(stop error spent) record:rest:error",
    ],
    [
      "at rest leaves the session idle",
      stages.recording,
      recorded("rest"),
      "none stopped:crashed idle/0 clear_timer",
    ],
    [
      "by a stop leaves it idle",
      stages.recording,
      recorded("stop"),
      "none stopped:crashed idle/0 clear_timer",
    ],
    [
      "by a switch leaves it idle",
      stages.recording,
      recorded("switch"),
      "none stopped:crashed idle/0 clear_timer",
    ],
    [
      "after the last allowed attempt ends the retries",
      but("recording", { connection: { ...connected, attempt: 5 } }),
      recorded("lost"),
      "none stopped:crashed disconnected/5 clear_timer gave_up",
    ],
    [
      "recorded late, after its stop, is announced",
      but("none", { isAnnounced: true }),
      recorded("stop"),
      "none stopped:crashed",
    ],
  ])("%s", ([, state, trigger, cell]) => expect(outcome(state, trigger)).toBe(cell));

  test("of a process that gets its prompt at start is never retried", () => {
    const prompt = { lifetime: "prompt" } as const;
    expect(outcome(stages.recording, recorded("lost"), prompt)).toBe(
      "none stopped:crashed idle/0 clear_timer",
    );
    const crash = exited({ isTurnOver: true, hasTurnCrashed: true });
    expect(outcome(stages.open, crash, prompt)).toBe("recording record:rest:crashed");
    expect(outcome(stages.open, crash)).toBe("recording record:rest:turn_over");
  });
});

describe("a stop", () => {
  const stopping = (mode: "stop" | "discard" | "retire", isSpent = false): ProcessState =>
    but("stopping", { stage: { name: "stopping", mode, reason: "idle", isSpent } });

  test.for<[string, ProcessState, ProcessTrigger, string]>([
    [
      "becomes final if the session is deleted",
      stopping("stop"),
      { type: "stop", mode: "discard", reason: "user_requested" },
      "stopping(discard idle)",
    ],
    [
      "becomes final if the server shuts down",
      stopping("stop"),
      { type: "stop", mode: "retire", reason: "shutdown" },
      "stopping(retire idle)",
    ],
    ["stays final", stopping("retire"), triggers.stop, "stopping(retire idle)"],
    [
      "of a deleted session announces only that it stopped",
      stopping("discard"),
      triggers.stopped,
      "closed stopped:idle",
    ],
    ["at shutdown is final", stopping("retire"), triggers.stopped, "closed idle/0 clear_timer"],
    [
      "that fails keeps the process of a session that cannot be deleted",
      stopping("discard"),
      triggers.stop_failed,
      "open",
    ],
    ["that fails keeps a spent process spent", stopping("stop", true), triggers.stop_failed, "spent"],
    ["that fails at shutdown is final", stopping("retire"), triggers.stop_failed, "closed"],
  ])("%s", ([, state, trigger, cell]) => expect(outcome(state, trigger)).toBe(cell));
});
