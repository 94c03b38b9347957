import { Fault, idleConnection, type ProcessState, type ProcessTrigger, stepProcess } from "@drover/core";
import { describe, expect, test } from "vitest";
import {
  but,
  connected,
  down,
  outcome,
  reconnecting,
  rules,
  stages,
  starting,
  triggers,
} from "./process-samples.ts";

const retry = (start: "by_hand" | "by_itself", connection = reconnecting): ProcessState =>
  but("opening", { stage: { name: "opening", start }, connection, isAnnounced: false });
const failed = (code: Fault["code"], isNeeded = true) =>
  ({ type: "start_failed", fault: new Fault(code, "no"), isNeeded }) as const;

describe("a start", () => {
  test.for<[string, ProcessState, ProcessTrigger, string]>([
    [
      "of an agent that answered and then exited is retried",
      but("opening", { connection: connected }),
      failed("AGENT_CRASHED"),
      "waiting stopped:crashed disconnected/1 reconnecting/2 timer:retry_due:2000",
    ],
    [
      "that fails in another way after an answer is not retried",
      but("opening", { connection: connected }),
      failed("AGENT_UNREACHABLE"),
      "none stopped:error disconnected/1 clear_timer start_failed",
    ],
    [
      "that is a retry is retried",
      retry("by_itself"),
      failed("AGENT_UNREACHABLE"),
      "waiting reconnecting/2 timer:retry_due:2000",
    ],
    [
      "that is a retry and got an answer is retried",
      retry("by_itself", connected),
      failed("AGENT_UNREACHABLE"),
      "waiting disconnected/1 reconnecting/2 timer:retry_due:2000",
    ],
    [
      "that is the last retry ends the retries",
      retry("by_itself", { ...reconnecting, attempt: 5 }),
      failed("AGENT_UNREACHABLE"),
      "none disconnected/5 gave_up",
    ],
    [
      "by hand without a program ends the retries at once, and the queue resumes",
      retry("by_hand"),
      failed("AGENT_MISSING"),
      "none disconnected/1 start_failed resume_queue",
    ],
    [
      "that is a retry without a program is retried again",
      retry("by_itself"),
      failed("AGENT_MISSING"),
      "waiting reconnecting/2 timer:retry_due:2000",
    ],
    [
      "that nothing needs anymore does not count as a failure",
      stages.opening,
      failed("AGENT_UNREACHABLE", false),
      "none stopped:error idle/0",
    ],
    [
      "that attaches fails without a separate announcement",
      but("opening", { stage: { name: "opening", start: "attach" }, connection: idleConnection }),
      failed("AGENT_CRASHED"),
      "none stopped:crashed",
    ],
    [
      "that is a successful retry resumes the queue",
      retry("by_itself"),
      triggers.opened,
      "open connected/1 timer:stable:60000 resume_queue",
    ],
    [
      "is announced when the agent answers, not when it opens",
      but("opening", { connection: connected }),
      triggers.opened,
      "open",
    ],
    [
      "that is a retry resets its count when a person reconnects",
      retry("by_itself", { ...reconnecting, attempt: 4 }),
      triggers.reconnect,
      "opening(by_itself) reconnecting/1",
    ],
    [
      "cut short by a stop is announced if it was announced before",
      but("stopping", { connection: starting, isAnnounced: false }),
      failed("AGENT_UNREACHABLE"),
      "stopping(stop user_requested) disconnected/0",
    ],
    [
      "cut short during a retry is not announced",
      but("stopping", { connection: reconnecting, isAnnounced: false }),
      failed("AGENT_UNREACHABLE"),
      "stopping(stop user_requested)",
    ],
    [
      "that a stop made unnecessary does not count as a failure",
      but("stopping", { connection: starting, isAnnounced: false }),
      failed("AGENT_UNREACHABLE", false),
      "stopping(stop user_requested) idle/0",
    ],
    [
      "that opens during a stop is announced",
      but("stopping", { connection: starting }),
      triggers.opened,
      "stopping(stop user_requested) connected/0",
    ],
    [
      "that answers after the link closed is announced",
      but("closed", { connection: starting }),
      triggers.answered,
      "closed connected/0",
    ],
  ])("%s", ([, state, trigger, cell]) => expect(outcome(state, trigger)).toBe(cell));

  test("after giving up begins a new count", () => {
    const gaveUp = but("none", { connection: { ...down, attempt: 5, gaveUp: true } });
    expect(outcome(gaveUp, triggers.use)).toBe("opening(use) starting/0 start:use");
  });

  test("is announced with the time of its retry", () => {
    const { effects } = stepProcess(stages.recording, triggers.recorded, rules);
    expect(effects).toContainEqual({
      type: "announce",
      connection: {
        ...{ status: "reconnecting", attempt: 2, gaveUp: false, lastError: "it ended" },
        nextTryAt: "2026-01-01T00:00:02.000Z",
      },
    });
  });
});

describe("a process", () => {
  test("that serves the whole session outlives its turns", () => {
    expect(outcome(stages.open, triggers.turn_ended, { lifetime: "session" })).toBe("open");
  });

  test("that gets its prompt at start is not started by hand", () => {
    const prompt = { lifetime: "prompt" } as const;
    expect(outcome(stages.none, triggers.reconnect, prompt)).toBe("none idle/0");
    expect(outcome(stages.waiting, triggers.reconnect, prompt)).toBe("none clear_timer idle/0");
  });

  test("that was never used is not started by hand", () => {
    expect(outcome(but("none", { connection: idleConnection }), triggers.reconnect)).toBe("none");
  });
});
