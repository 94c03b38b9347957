// Every agent runs under a parent that outlives the server.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isAlive, kill9 } from "../kit/processes.ts";
import { until } from "../kit/until.ts";
import { sharedRig } from "./shared-rig.ts";
import { type Conversation, kitAgent, openSession, processesOfSession } from "./support.ts";

const rig = sharedRig((home) => ({
  agents: {
    silent: kitAgent("stays-silent.mjs"),
    watching: kitAgent("watches-parent.mjs", "--release", join(home, "release")),
    waiting: kitAgent("watches-parent.mjs", "--release", join(home, "never")),
  },
}));

/** The session's agent and its parent, while both run. */
async function pairOf(session: Conversation): Promise<{ agent: number; parent: number }> {
  const agent = await until(async () => (await session.get()).connection.pid);
  const parent = processesOfSession(rig, session.id).find(({ pid }) => pid !== agent);
  if (!parent) throw new Error("The agent has no separate parent");
  return { agent, parent: parent.pid };
}

test("N7 an agent that watches its parent survives kill -9 of the server and finishes its turn", async () => {
  await using session = await openSession(rig, "watching");
  const { messageId } = await session.send("hello");
  await until(() => session.follower.text() === "first ");
  const { agent } = await pairOf(session);
  await rig.server.kill9();
  await writeFile(join(rig.home, "release"), "");
  await rig.start();
  expect(await session.done(messageId)).toMatchObject({ reason: "end_turn", ok: true });
  expect(session.follower.text()).toBe("first last");
  expect(await session.get()).toMatchObject({ run: 1, connection: { pid: agent } });
});

test("N7 an agent is swept when only its parent is killed, and its turn ends as crashed", async () => {
  await using session = await openSession(rig, "silent");
  const { messageId } = await session.send("hello");
  await until(() => session.all("session_status").some(({ state }) => state === "running"));
  const { agent, parent } = await pairOf(session);
  kill9(parent);
  expect(await session.done(messageId)).toMatchObject({
    reason: "crashed",
    error: { code: "AGENT_CRASHED" },
  });
  await until(() => !isAlive(agent), { what: "the agent is swept" });
});

test("N7 an agent whose parent was killed while no server ran is swept by the next server", async () => {
  await using session = await openSession(rig, "silent");
  const { messageId } = await session.send("hello");
  await until(() => session.all("session_status").some(({ state }) => state === "running"));
  const { agent, parent } = await pairOf(session);
  await rig.server.kill9();
  kill9(parent);
  await until(() => !isAlive(parent));
  expect(isAlive(agent)).toBe(true);
  await rig.start();
  expect(["crashed", "uncertain"]).toContain((await session.done(messageId)).reason);
  await until(() => !isAlive(agent), { what: "the agent is swept" });
});

test("N7 the next server knows how an agent ended while no server ran", async () => {
  await using session = await openSession(rig, "waiting");
  const { messageId } = await session.send("hello");
  await until(() => session.follower.text() === "first ");
  const { agent, parent } = await pairOf(session);
  await rig.server.kill9();
  kill9(agent);
  await until(() => !isAlive(parent));
  await rig.start();
  const { error } = await session.done(messageId);
  expect(error).toMatchObject({ code: "AGENT_CRASHED" });
  expect(error?.message).toContain("SIGKILL");
});
