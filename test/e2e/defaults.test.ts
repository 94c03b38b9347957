// Other tests configure short times; these use the defaults. Only the soak run waits for the long ones.
import { once } from "node:events";
import { expect, test } from "vitest";
import { WebSocket } from "ws";
import { bearer } from "../kit/http.ts";
import { isSoak } from "../kit/soak.ts";
import { asked } from "./asking.ts";
import { readBlocks } from "./frames.ts";
import { openRig, openSession, type Rig } from "./support.ts";

/** Milliseconds until a silent socket is pinged. */
async function firstPing(rig: Rig): Promise<number> {
  const socket = new WebSocket(`${rig.server.url.replace("http", "ws")}/ws`, { headers: bearer(rig.server) });
  await once(socket, "open");
  const opened = performance.now();
  await once(socket, "ping");
  socket.terminate();
  await once(socket, "close");
  return performance.now() - opened;
}

/** Milliseconds until the first heartbeat of a silent stream. */
async function firstHeartbeat(rig: Rig, path: string): Promise<number> {
  const opened = performance.now();
  await readBlocks(rig.server, path, { last: ({ comment }) => comment === "hb" });
  return performance.now() - opened;
}

test("A2 by default there is no deadline for answers", async () => {
  await using rig = await openRig();
  await using session = await openSession(rig, "demo");
  await asked(session, "run true");
  const [open] = await session.openInteractions();
  expect(open).toMatchObject({ state: "open" });
  expect(open).not.toHaveProperty("deadline");
  expect(open).not.toHaveProperty("remainingMs");
});

test.runIf(isSoak)(
  "S9 A2 by default there is a heartbeat every 15 seconds, and the deadline of a question counts down",
  async () => {
    await using rig = await openRig({ config: { interactions: { timeout: "10m" } } });
    await using session = await openSession(rig, "demo");
    // All streams share one heartbeat timer, so a later stream waits less.
    const waiting = Promise.all([firstHeartbeat(rig, session.path("/events")), firstPing(rig)]);
    await asked(session, "run true");
    const wasOpen = performance.now();
    for (const wait of await waiting) {
      expect(wait).toBeGreaterThan(9_000);
      expect(wait).toBeLessThan(17_000);
    }
    const spent = performance.now() - wasOpen;
    const [open] = await session.openInteractions();
    expect(open?.remainingMs).toBeLessThanOrEqual(600_000 - Math.floor(spent));
  },
);
