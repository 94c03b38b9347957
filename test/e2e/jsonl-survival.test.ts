// Programs that answer with lines of JSON, when their server, their parent or they themselves die.
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as moment } from "node:timers/promises";
import { expect, test } from "vitest";
import { isAlive, kill9 } from "../kit/processes.ts";
import { usually } from "../kit/soak.ts";
import { until } from "../kit/until.ts";
import { jsonl } from "./jsonl-programs.ts";
import { sharedRig } from "./shared-rig.ts";
import {
  heldIn,
  kitAgent,
  openRig,
  openSession,
  processesOfSession,
  release,
  seeded,
  teed,
} from "./support.ts";

const shared = sharedRig((home) => ({
  agents: {
    stateful: { ...jsonl("jsonl-stateful.mjs"), stateful: true },
    copied: {
      ...teed(join(home, "copy"), kitAgent("jsonl-slow.mjs", "--count", "300", ...heldIn(home))),
      driver: "jsonl",
      resume: ["--continue", "{sessionId}"],
      sessionId: ["opened", "id"],
    },
    whole: jsonl("jsonl-slow.mjs", "--count", "300", ...heldIn(home)),
    torn: jsonl("jsonl-slow.mjs", "--count", "300", "--after", "250", ...heldIn(home)),
    hanging: jsonl("jsonl-hangs.mjs", "--count", "0"),
    counted: jsonl("jsonl-counted.mjs", "--file", join(home, "runs")),
  },
  config: { supervision: { stopGrace: "300ms", backoff: "50ms" } },
}));

/** Agents that wait for `release` do so again. */
const holdAgain = () => rm(join(shared.home, "released"), { force: true });

test("X8 a stateful program is found again after kill -9 of the server, during a turn and between turns", async () => {
  const rig = shared;
  await using session = await openSession(rig, "stateful");
  expect(await session.turn("one")).toMatchObject({ ok: true });
  const { pid } = (await session.get()).connection;
  await rig.server.kill9();
  await rig.start();
  expect(await session.turn("two")).toMatchObject({ ok: true });
  const { messageId } = await session.send("hang");
  await until(() => session.follower.text().endsWith("3: hang"));
  await rig.server.kill9();
  await rig.start();
  await until(async () => (await session.get()).connection.pid === pid);
  await session.post("interrupt");
  expect(await session.done(messageId)).toMatchObject({ reason: "cancelled" });
  expect(session.all("done")).toHaveLength(3);
});

for (const how of ["kill9", "term"] as const) {
  test(`X8 a JSON-lines program is found again after ${how} of the server, with every byte and its exit`, async () => {
    const rig = shared;
    await holdAgain();
    await rm(join(rig.home, "copy"), { force: true });
    await using session = await openSession(rig, "copied");
    const { messageId } = await session.send("go");
    await until(() => session.follower.text().length > 200);
    const { connection } = await session.get();
    await rig.server[how]();
    expect(isAlive(connection.pid ?? -1)).toBe(true);
    await release(rig);
    await rig.start();
    expect(await session.done(messageId)).toMatchObject({ ok: true });
    expect(session.follower.text()).toBe(words(300));
    const copy = await readFile(join(rig.home, "copy"), "utf8");
    expect((await rig.client.ask("GET", session.path("/log"))).body).toBe(copy);
    expect(session.all("done")).toHaveLength(1);
    const { agentSessionId, run } = await session.get();
    expect({ agentSessionId, run }).toEqual({ agentSessionId: expect.stringMatching(/^slow-\d+$/), run: 1 });
  });
}

test("X6 a server that shuts down with its agents starts none for queued messages, and the next server does", async () => {
  await using rig = await openRig((home) => ({
    agents: {
      kit: jsonl("jsonl-slow.mjs", "--count", "100", ...heldIn(home)),
      stubborn: kitAgent("ignores-term.mjs"),
    },
    config: { supervision: { stopGrace: "700ms" } },
    args: ["--stop-agents"],
  }));
  // It delays the end of the server for longer than the other agent takes to start.
  await using stubborn = await openSession(rig, "stubborn");
  await stubborn.turn("one");
  await using session = await openSession(rig);
  const { messageId } = await session.send("first");
  const next = await session.send("second");
  await until(() => session.follower.text().length > 20);
  await rig.server.term();
  expect(processesOfSession(rig, session.id)).toEqual([]);
  await release(rig);
  await rig.start();
  expect(await session.done(messageId)).toMatchObject({ reason: "cancelled" });
  expect(await session.done(next.messageId)).toMatchObject({ ok: true });
});

test("a turn fails with the reason if its agent is no longer configured after a restart, and none of its processes stay", async () => {
  await using rig = await openRig({ agents: { kit: jsonl("jsonl-hangs.mjs") } });
  await using session = await openSession(rig);
  const { messageId } = await session.send("go");
  await until(async () => (await session.get()).connection.status === "connected");
  await rig.server.kill9();
  await writeFile(join(rig.home, ".drover", "drover.yaml"), "");
  await rig.start();
  expect(await session.done(messageId)).toMatchObject({
    error: { code: "AGENT_MISSING", message: expect.stringContaining("add it to drover.yaml again") },
  });
  await until(() => processesOfSession(rig, session.id).length === 0);
});

test("X8 the output of a program that ends while no server runs decides how its turn ended", async () => {
  const rig = shared;
  await holdAgain();
  await using whole = await openSession(rig, "whole");
  await using torn = await openSession(rig, "torn");
  const sent = await Promise.all([whole, torn].map((session) => session.send("go")));
  for (const session of [whole, torn]) await until(() => session.follower.text().length > 20);
  await rig.server.kill9();
  await release(rig);
  for (const session of [whole, torn]) await until(() => processesOfSession(rig, session.id).length === 0);
  await rig.start();
  expect(await whole.done(sent[0]?.messageId ?? "")).toMatchObject({ ok: true });
  expect(whole.follower.text()).toBe(words(300));
  const killed = await torn.done(sent[1]?.messageId ?? "");
  expect(killed).toMatchObject({ ok: false, partial: true, error: { code: "AGENT_CRASHED" } });
  expect(killed.error?.message).toContain("SIGKILL");
  expect(torn.follower.text(), "the truncated line is not shown").toBe(words(250));
  expect(torn.all("notice")).toEqual([]);
});

const words = (count: number): string => Array.from({ length: count }, (_, n) => `word ${n} `).join("");

test("L2 kill -9 of a program's parent ends its turn, and the program is swept", async () => {
  const rig = shared;
  await using session = await openSession(rig, "hanging");
  const { messageId } = await session.send("wait");
  await until(() => session.follower.text() === "here");
  kill9((await session.get()).connection.pid);
  expect(await session.done(messageId, { deadline: 2_000 })).toMatchObject({
    error: { code: "AGENT_CRASHED" },
  });
  expect(processesOfSession(rig, session.id)).toEqual([]);
});

test("a prompt runs at most once if the server dies around its start, and a turn that may not have run ends as uncertain", {
  timeout: 120_000,
}, async () => {
  const rig = shared;
  await using session = await openSession(rig, "counted");
  const random = seeded(5);
  for (let n = 0; n < usually(2, { inSoak: 12 }); n++) {
    const { messageId } = await session.send(`prompt ${n}`);
    await moment(random() * 120);
    await rig.server.kill9();
    await rig.start();
    const done = await session.done(messageId);
    const runs = (await readFile(join(rig.home, "runs"), "utf8").catch(() => "")).split("\n");
    const times = runs.filter((run) => run === `prompt ${n}`).length;
    if (done.ok) expect(times).toBe(1);
    else expect({ reason: done.reason, code: done.error?.code, once: times <= 1 }).toEqual(uncertain);
  }
  expect(await session.turn("the last")).toMatchObject({ ok: true });
});

const uncertain = { reason: "uncertain", code: "DELIVERY_UNCERTAIN", once: true };
