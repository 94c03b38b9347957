import {
  backoff,
  type Connection,
  emptyState,
  idleConnection,
  restingConnection,
  supervise,
} from "@drover/core";
import { describe, expect, it } from "vitest";

const limits = { attempts: 5, backoffMs: 1000, maxBackoffMs: 30_000 };
const connected: Connection = { status: "connected", attempt: 0, gaveUp: false, pid: 1 };
const statuses = (step: ReturnType<typeof supervise>) => step.announced.map((c) => c.status);

describe("a connection", () => {
  it("starts on first use, and later uses share a start that is under way", () => {
    const step = supervise(idleConnection, { type: "use" }, limits);
    expect(statuses(step)).toEqual(["starting"]);
    expect(step.effect).toEqual({ type: "start" });
    const starting = step.announced[0] as Connection;
    expect(supervise(starting, { type: "use" }, limits).effect).toEqual({ type: "none" });
    expect(supervise(starting, { type: "reconnect" }, limits).effect).toEqual({ type: "none" });
  });

  it("that never came up is not retried automatically", () => {
    const starting: Connection = { status: "starting", attempt: 0, gaveUp: false };
    const step = supervise(starting, { type: "start_failed", message: "no" }, limits);
    expect(statuses(step)).toEqual(["disconnected"]);
    expect(step.effect).toEqual({ type: "none" });
  });

  it("that was lost is given up after five attempts, however often it connects in between", () => {
    let now = connected;
    const waits: number[] = [];
    for (;;) {
      const step = supervise(now, { type: "ended", message: "died" }, limits);
      const last = step.announced.at(-1) as Connection;
      if (step.effect.type !== "start_after") {
        expect(last).toMatchObject({ status: "disconnected", gaveUp: true, lastError: "died" });
        break;
      }
      expect(statuses(step)).toEqual(["disconnected", "reconnecting"]);
      waits.push(step.effect.ms);
      now = supervise(last, { type: "ready", pid: 2 }, limits).announced[0] as Connection;
    }
    expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000]);
  });

  it("that ended right after the agent's answer counts as lost, not as never up", () => {
    const starting: Connection = { status: "starting", attempt: 0, gaveUp: false };
    const step = supervise(starting, { type: "ended", message: "died" }, limits);
    expect(statuses(step)).toEqual(["disconnected", "reconnecting"]);
    expect(step.effect).toEqual({ type: "start_after", ms: 1000 });
  });

  it("is announced once, when the agent answers, and not again when it opens", () => {
    const starting: Connection = { status: "starting", attempt: 0, gaveUp: false };
    const [announced] = supervise(starting, { type: "ready", pid: 1 }, limits).announced;
    expect(announced).toEqual(connected);
    expect(supervise(connected, { type: "ready", pid: 1 }, limits).announced).toEqual([]);
  });

  it("that a person requested is not retried after a final failure", () => {
    const trying: Connection = { status: "reconnecting", attempt: 1, gaveUp: false };
    const failed = { type: "start_failed", message: "not there" } as const;
    expect(supervise(trying, failed, limits).effect).toEqual({ type: "start_after", ms: 2000 });
    expect(supervise(trying, { ...failed, isFinal: true }, limits)).toEqual({
      announced: [{ status: "disconnected", attempt: 1, gaveUp: false, lastError: "not there" }],
      effect: { type: "none" },
    });
  });

  it("of a stored session is restored from its log as idle or given up", () => {
    expect(restingConnection(emptyState, limits)).toEqual(idleConnection);
    const reason = { code: "AGENT_CRASHED", message: "died" };
    expect(restingConnection({ ...emptyState, reportedState: "crashed", reason }, limits)).toEqual({
      ...{ status: "disconnected", attempt: 5, gaveUp: true, lastError: "died" },
    });
  });

  it("that proved stable resets its count", () => {
    const shaky = { ...connected, attempt: 4 };
    expect(supervise(shaky, { type: "stable" }, limits).announced).toEqual([{ ...shaky, attempt: 0 }]);
  });

  it("that was given up starts over by hand or on the next use", () => {
    const down: Connection = { status: "disconnected", attempt: 5, gaveUp: true };
    expect(supervise(down, { type: "reconnect" }, limits).announced[0]).toMatchObject({
      status: "reconnecting",
      attempt: 1,
    });
    expect(supervise(down, { type: "use" }, limits).announced[0]).toMatchObject({
      status: "starting",
      attempt: 0,
    });
  });

  it("waits longer after each failure, up to a limit", () => {
    expect(backoff(1, limits)).toBe(1000);
    expect(backoff(30, limits)).toBe(30_000);
  });
});
