// Cases in which two things happen at once, and each still has the same result as on its own.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as moment } from "node:timers/promises";
import { expect, test } from "vitest";
import { ofType } from "../kit/events.ts";
import { isAlive, kill9 } from "../kit/processes.ts";
import { usually } from "../kit/soak.ts";
import { until } from "../kit/until.ts";
import { sharedRig } from "./shared-rig.ts";
import { kitAgent, openRig, openSession, readJson, seeded } from "./support.ts";

const shared = sharedRig({
  agents: { stubborn: kitAgent("ignores-term.mjs") },
  // Long enough for the message to arrive while the agent is stopping, even on a slow machine.
  config: { supervision: { stopGrace: "4s" } },
});

test("a message to a session that is stopping runs once it has stopped", async () => {
  await using session = await openSession(shared, "stubborn");
  await session.turn("one");
  await session.post("stop");
  expect((await session.get()).state).toBe("stopping");
  const { messageId } = await session.send("two");
  expect(await session.done(messageId)).toMatchObject({ ok: true });
  expect(await session.get()).toMatchObject({ state: "idle", run: 2 });
});

test("a message to a session whose idle agent is being stopped runs in a new process", async () => {
  await using rig = await openRig((home) => ({
    // It ignores TERM, and its turns take longer than the grace period.
    agents: { kit: kitAgent("ignores-term.mjs", "--file", join(home, "pids"), "--after", "1500") },
    config: { sessions: { idleAfter: "200ms" }, supervision: { stopGrace: "1s" } },
  }));
  await using session = await openSession(rig);
  await session.turn("one");
  const { agent } = await readJson<{ agent: number }>(join(rig.home, "pids"));
  // On a very busy machine it may be gone before it can record the signal.
  await until(() => existsSync(join(rig.home, "pids.signals")) || !isAlive(agent), {
    what: "the agent receives a signal",
  });
  const { messageId } = await session.send("two");
  expect(await session.done(messageId)).toMatchObject({ ok: true });
  expect(await session.get()).toMatchObject({ run: 2 });
});

test("a message sent as soon as the server is back runs, whether or not the agent survived", async () => {
  const rig = shared;
  for (const isKilled of [false, true]) {
    await using session = await openSession(rig, "demo");
    await session.turn("say one");
    const { pid = 0 } = (await session.get()).connection;
    await rig.server.kill9();
    if (isKilled) {
      kill9(pid);
      await until(() => !isAlive(pid));
    }
    await rig.start();
    const { messageId } = await session.send("say two");
    expect(await session.done(messageId), isKilled ? "killed" : "alive").toMatchObject({
      reason: "end_turn",
    });
    expect(session.follower.text()).toBe("one\ntwo\n");
  }
});

test("while another program locks the database the server can still read, and writes complete once the lock is released", async () => {
  const rig = shared;
  await using session = await openSession(rig, "demo");
  await session.turn("say before");
  const other = new DatabaseSync(join(rig.server.droverHome, "drover.db"));
  other.exec("BEGIN IMMEDIATE");
  let isTaken = false;
  const sending = session.send("say after").finally(() => {
    isTaken = true;
  });
  for (let n = 0; n < 5; n++) await rig.client.get("/api/health");
  expect(await session.items()).toHaveLength(2);
  expect(isTaken, "the reads completed while the message waited").toBe(false);
  other.exec("COMMIT");
  other.close();
  const { messageId } = await sending;
  expect(await session.done(messageId)).toMatchObject({ ok: true });
});

test("an interrupt at any moment of a start ends the turn, and the agent does none of its work", async () => {
  const random = seeded(7);
  // Longer than any deadline here, so the test fails if an agent has to be killed.
  await using rig = await openRig({ config: { supervision: { stopGrace: "60s" } } });
  for (let round = 0; round < usually(4, { inSoak: 20 }); round++) {
    await using session = await openSession(rig, "demo", { permissionMode: "never" });
    const { messageId } = await session.send("slow 100\nstream 1000\nrun touch never");
    await moment(random() * 400);
    await session.post("interrupt");
    expect(await session.done(messageId)).toMatchObject({ reason: "cancelled" });
    const next = await session.turn("say next");
    expect(next).toMatchObject({ ok: true });
    const after = session.follower.events.filter(({ seq }) => seq > next.seq || next.turnId === undefined);
    expect(after).toEqual([]);
    const stray = session.follower.events
      .filter(ofType("text_delta"))
      .filter(({ turnId }) => turnId === undefined);
    expect(stray).toEqual([]);
  }
});
