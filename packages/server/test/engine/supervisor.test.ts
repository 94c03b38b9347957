import { type Connection, idleConnection } from "@drover/core";
import { expect, test } from "vitest";
import { until } from "../../../../test/kit/until.ts";
import { Supervisor } from "../../src/engine/agent/supervisor.ts";

function supervised(settings: { attempts?: number; stableAfterMs?: number } = {}) {
  const told: Connection[] = [];
  const calls: string[] = [];
  const supervisor = new Supervisor(
    {
      ...{ startTimeoutMs: 1_000, backoffMs: 20, maxBackoffMs: 100, stopGraceMs: 100 },
      ...{ attempts: 1, stableAfterMs: 60_000, ...settings },
    },
    idleConnection,
    {
      changed: (connection) => told.push(connection),
      tryNow: () => calls.push("try"),
      gaveUp: (message) => calls.push(`gave up: ${message}`),
    },
  );
  return { supervisor, told, calls };
}

test("a lost connection is tried again after a wait that was announced, and then given up", async () => {
  const { supervisor, told, calls } = supervised();
  supervisor.apply({ type: "use" });
  supervisor.apply({ type: "ready", pid: 1 });
  supervisor.apply({ type: "ended", message: "it ended" });
  expect(told.map(({ status }) => status)).toEqual(["starting", "connected", "disconnected", "reconnecting"]);
  expect(Date.parse(told.at(-1)?.nextTryAt ?? "")).toBeGreaterThan(0);
  expect(supervisor.isWaiting).toBe(true);
  await until(() => calls.length === 1);
  expect({ calls, isWaiting: supervisor.isWaiting }).toEqual({ calls: ["try"], isWaiting: false });
  supervisor.apply({ type: "start_failed", message: "it is not there" });
  expect(calls).toEqual(["try", "gave up: it is not there"]);
  expect(supervisor.status).toMatchObject({ status: "disconnected", gaveUp: true });
});

test("a person who asks for it does not wait for the next try", () => {
  const { supervisor, calls } = supervised({ attempts: 5 });
  supervisor.apply({ type: "use" });
  supervisor.apply({ type: "ready", pid: 1 });
  supervisor.apply({ type: "ended", message: "it ended" });
  expect(supervisor.apply({ type: "reconnect" }).effect).toEqual({ type: "start" });
  expect({ calls, isWaiting: supervisor.isWaiting }).toEqual({ calls: [], isWaiting: false });
});

test("a connection that holds counts its tries from the beginning again", async () => {
  const { supervisor } = supervised({ attempts: 5, stableAfterMs: 20 });
  supervisor.apply({ type: "use" });
  supervisor.apply({ type: "ready", pid: 1 });
  supervisor.apply({ type: "ended", message: "it ended" });
  supervisor.apply({ type: "ready", pid: 2 });
  expect(supervisor.status.attempt).toBe(1);
  await until(() => supervisor.status.attempt === 0);
  supervisor.stop();
});
