// Agents have modes of their own; in some of them they act without asking.
import { expect, test } from "vitest";
import { drover, kitAgent, openRig, openSession } from "./support.ts";

test("N4 an agent that starts in a mode in which it does not ask is put into the one in which it does", async () => {
  await using rig = await openRig({ agents: { kit: kitAgent("own-modes.mjs") } });
  await using session = await openSession(rig);
  await session.turn("hello");
  expect(session.follower.text()).toBe("I work in normal.");
  expect(await session.get()).toMatchObject({
    agentMode: { id: "normal", name: "Normal", mayActUnasked: false },
  });
  await rig.server.kill9();
  await rig.start();
  await session.turn("still?");
  expect(session.follower.text()).toBe("I work in normal.I work in normal.");
});

test("N4 an agent that cannot be held is said to act without asking, over HTTP and on the command line", async () => {
  await using rig = await openRig({ agents: { kit: kitAgent("own-modes.mjs", "--stuck") } });
  await using session = await openSession(rig);
  await session.turn("hello");
  expect(await session.get()).toMatchObject({
    agentMode: { id: "auto-accept", name: "Auto-accept", mayActUnasked: true },
  });
  const { stdout } = await drover(rig.home, "show", session.id);
  expect(stdout).toContain("Auto-accept: it may act without asking");
});
